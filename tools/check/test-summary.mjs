// Prints the outcome of a test run: `node tools/check/test-summary.mjs <vitest's JSON report> <its exit code>`.
//
// First each test that failed, with the first lines of its message, so that they are also found at the end of a long
// log. Then one line, `N passed, N failed`, with `, N skipped` when there are any. What failed without a failing
// test counts as one: a file that could not be loaded, an unhandled error, a run that broke off before it could report.
import fs from 'node:fs';
import path from 'node:path';

const MESSAGE_LINES = 6;

function readReport(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [], success: false };
  }
}

/** The failed tests of a file, or the file itself if it could not be loaded, each with the first lines of its message. */
function failuresOf({ name, message, status, assertionResults }) {
  if (status !== 'failed') return [];
  const tests = assertionResults.filter((test) => test.status === 'failed');
  const where = path.relative(process.cwd(), name);
  if (tests.length === 0) return [failure(where, message)];
  return tests.map((test) => failure(`${where} > ${test.fullName}`, test.failureMessages.join('\n')));
}

function failure(title, message) {
  const lines = (message ?? '').split('\n').slice(0, MESSAGE_LINES);
  return [`failed: ${title}`, ...lines.map((line) => `    ${line}`)].join('\n');
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

for (const text of report.testResults.flatMap(failuresOf)) console.log(`${text}\n`);

const parts = [`${report.numPassedTests} passed`, `${failed} failed`];
if (skipped > 0) parts.push(`${skipped} skipped`);
console.log(parts.join(', '));
process.exitCode = failed === 0 ? 0 : 1;
