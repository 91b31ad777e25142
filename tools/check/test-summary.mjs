import fs from 'node:fs';
import path from 'node:path';

const MESSAGE_LINES = 6;

/** Returns Vitest's JSON report; an empty one that did not succeed if the run broke off before it could report. */
export function readReport(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [], success: false };
  }
}

/** Returns the test files that took longest, with their seconds. */
export function slowestFiles({ testResults }, count) {
  return testResults
    .map(({ name, startTime, endTime }) => ({ file: relative(name), seconds: (endTime - startTime) / 1000 }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count);
}

/**
 * Returns the end of the check's output: each test that failed, with the first lines of its message, so that they are
 * found at the end of a long log, then `N passed, N failed`, with `, N skipped` when there are any. A run that failed
 * without a failing test counts as one: a file that could not be loaded, an unhandled error, a run that broke off.
 */
export function summarize(report, hasFailed) {
  const unloadable = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const counted = report.numFailedTests + unloadable.length;
  const failed = counted === 0 && (hasFailed || !report.success) ? 1 : counted;
  const skipped = report.numPendingTests + (report.numTodoTests ?? 0);
  const counts = [`${report.numPassedTests} passed`, `${failed} failed`];
  if (skipped > 0) counts.push(`${skipped} skipped`);
  const failures = report.testResults.flatMap(failuresOf).map((text) => `${text}\n`);
  return { lines: [...failures, counts.join(', ')], isPassed: failed === 0 };
}

/** The failed tests of a file, or the file itself if it could not be loaded, each with the first lines of its message. */
function failuresOf({ name, message, status, assertionResults }) {
  if (status !== 'failed') return [];
  const tests = assertionResults.filter((test) => test.status === 'failed');
  if (tests.length === 0) return [failure(relative(name), message)];
  return tests.map((test) =>
    failure(`${relative(name)} > ${test.fullName}`, test.failureMessages.join('\n')),
  );
}

function failure(title, message) {
  const lines = (message ?? '').split('\n').slice(0, MESSAGE_LINES);
  return [`failed: ${title}`, ...lines.map((line) => `    ${line}`)].join('\n');
}

const relative = (file) => path.relative(process.cwd(), file);
