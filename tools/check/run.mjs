// Runs everything that a change must pass, after `npm ci`: `bash .ci/run`, or `node tools/check/run.mjs [step …]`.
//
// One queue runs the tests; a second one runs the other steps beside them, since the tests wait for clocks and processes
// half of their time. When the tests have ended, two of those steps run at a time. The output of a step is printed when it
// ends. A failed step does not stop the others. The end names the time of every step, the slowest test files and the failed
// tests; the last line counts the tests.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../shared/repository-files.mjs';
import { runStep, stopSteps } from './step.mjs';
import { BUILDING, CHECKS, testsInto } from './steps.mjs';
import { readReport, slowestFiles, summarize } from './test-summary.mjs';

const scratch = mkdtempSync(path.join(os.tmpdir(), 'latchkey-check-'));
const report = path.join(scratch, 'tests.json');
const TESTS = testsInto(report);
const asked = process.argv.slice(2);
const results = [];

/** The niceness of the steps beside the tests: a third of their share, so that neither queue starves. */
const BESIDE = 5;

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, breakOff);
process.exitCode = (await main()) ? 0 : 1;
rmSync(scratch, { recursive: true, force: true });

/** Runs the steps and returns whether all of them passed. */
async function main() {
  const names = [...BUILDING, TESTS, ...CHECKS].map(({ name }) => name);
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    console.log(`There is no step "${unknown}". Steps: ${names.join(', ')}.`);
    return false;
  }
  await runQueue(BUILDING.filter(isAsked));
  const checks = CHECKS.filter(isAsked);
  const runChecks = () => runQueue(checks, { niceness: BESIDE });
  await Promise.all([runQueue([TESTS].filter(isAsked)).then(runChecks), runChecks()]);
  printTimes();
  const summary = isAsked(TESTS) ? printTests() : { lines: [], isPassed: true };
  const failed = results.filter(({ outcome }) => outcome === 'FAILED').map(({ name }) => name);
  if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}`);
  console.log(`\n${summary.lines.join('\n')}`);
  return summary.isPassed && failed.length === 0;
}

/** Takes the steps of a queue one after the other, until none is left. */
async function runQueue(steps, options) {
  for (let step = steps.shift(); step; step = steps.shift()) await runOne(step, options);
}

async function runOne(step, { niceness = 0 } = {}) {
  const log = path.join(scratch, `${step.name.replaceAll(' ', '-')}.log`);
  console.log(`-- ${step.name} … ${log}`);
  const result = await runStep(step, { folder: root, log, niceness });
  results.push(result);
  console.log(`\n== ${step.name}\n${result.output}   ${result.outcome}, ${timesOf(result)}`);
}

function isAsked({ name }) {
  return asked.length === 0 || asked.includes(name);
}

function timesOf({ seconds, cpuSeconds }) {
  return `${seconds.toFixed(0)} s, ${cpuSeconds.toFixed(0)} s of a processor`;
}

function printTimes() {
  console.log('\nSteps, by time:');
  for (const result of results.toSorted((a, b) => b.seconds - a.seconds)) {
    console.log(`  ${result.name.padEnd(20)} ${result.outcome.padEnd(8)} ${timesOf(result)}`);
  }
}

/** Prints the slowest test files and returns the summary of the tests. */
function printTests() {
  const tests = readReport(report);
  console.log('\nSlowest test files:');
  for (const { file, seconds } of slowestFiles(tests, 20)) {
    console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${file}`);
  }
  return summarize(
    tests,
    results.some(({ name, outcome }) => name === TESTS.name && outcome === 'FAILED'),
  );
}

function breakOff() {
  stopSteps();
  rmSync(scratch, { recursive: true, force: true });
  process.exit(1);
}
