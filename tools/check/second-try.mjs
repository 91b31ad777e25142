// Runs the test files that failed once more: `node tools/check/second-try.mjs <vitest's JSON report>`.
//
// A starved machine can fail a test of races or outages; a defect fails again when its file has the machine to itself.
// What passes then is named as unsteady, and its result replaces the first one in the report. The exit code is 0 if
// nothing failed any more. More than MAX_FILES failed files are no accident, and a failed run without a failed file has none
// to try: both stay failures.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const MAX_FILES = 12;

const [reportPath = ''] = process.argv.slice(2);
const report = readReport(reportPath);
const failed = report.testResults.filter(({ status }) => status === 'failed');
if (failed.length === 0 || failed.length > MAX_FILES) {
  console.log(`\nNo second try: ${failed.length} files failed; it is for 1 to ${MAX_FILES}.`);
  process.exit(1);
}

console.log(`\n== second try, one file at a time: ${failed.map(({ name }) => relative(name)).join(', ')}`);
const second = failed.map(({ name }) => runAlone(name));
replaceResults(second.flatMap(({ testResults }) => testResults));
for (const line of unsteadyTests(second)) console.log(`unsteady: ${line}`);
process.exit(second.every(({ exitCode }) => exitCode === 0) ? 0 : 1);

function readReport(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

function relative(file) {
  return path.relative(process.cwd(), file);
}

function runAlone(file) {
  const output = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'second-try-')), 'tests.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
  const { status } = spawnSync('npx', ['vitest', 'run', relative(file), ...reporters], { stdio: 'inherit' });
  const testResults = fs.existsSync(output) ? readReport(output).testResults : [];
  fs.rmSync(path.dirname(output), { recursive: true });
  return { exitCode: status ?? 1, testResults };
}

/** Writes the report anew, with the later result of each file that has one. */
function replaceResults(later) {
  const byFile = new Map(later.map((result) => [result.name, result]));
  const testResults = report.testResults.map((result) => byFile.get(result.name) ?? result);
  const statuses = testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ status }) => status),
  );
  const count = (...wanted) => statuses.filter((status) => wanted.includes(status)).length;
  const merged = {
    ...report,
    testResults,
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending', 'skipped'),
    numTodoTests: count('todo'),
    success: testResults.every(({ status }) => status === 'passed'),
  };
  fs.writeFileSync(reportPath, JSON.stringify(merged));
}

/** Names the tests that failed at first and have passed now. */
function unsteadyTests(tries) {
  const passed = new Set(
    tries
      .flatMap(({ testResults }) => testResults)
      .flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === 'passed')
          .map(({ fullName }) => `${name} ${fullName}`),
      ),
  );
  return failed.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, fullName }) => status === 'failed' && passed.has(`${name} ${fullName}`))
      .map(({ fullName }) => `${relative(name)} > ${fullName}`),
  );
}
