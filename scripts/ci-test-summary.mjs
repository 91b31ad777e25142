// Prints the counts of a test run: `node scripts/ci-test-summary.mjs <vitest's JSON report> <its exit code>`.
//
// One line, `N passed, N failed`, with `, N skipped` when there are any. What failed without a failing test counts as
// one: a file that could not be loaded, an unhandled error, a run that broke off before it could report.
import fs from 'node:fs';

function readReport(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [], success: false };
  }
}

const [file = '', exitCode = '1'] = process.argv.slice(2);
const report = readReport(file);
const unloadable = report.testResults.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
);
const counted = report.numFailedTests + unloadable.length;
const failed = counted === 0 && (exitCode !== '0' || !report.success) ? 1 : counted;
const skipped = report.numPendingTests + (report.numTodoTests ?? 0);

const parts = [`${report.numPassedTests} passed`, `${failed} failed`];
if (skipped > 0) parts.push(`${skipped} skipped`);
console.log(parts.join(', '));
process.exitCode = failed === 0 ? 0 : 1;
