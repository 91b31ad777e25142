import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { NamedTest } from '../../test/support/threat-model.js';

/** The result of a run of named tests. */
export interface TestRun {
  passed: number;
  /** Full titles of the tests that failed. */
  failed: string[];
  /** Failures outside of tests: a file that cannot be loaded, a run that broke off. */
  faults: string[];
}

interface JsonReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

/** Longest run of the tests of one promise, in milliseconds. */
const TIMEOUT_MS = 600_000;
const PLACEHOLDER = /%[a-z#%]|\$\w+(?:\.\w+)*/g;

/** Runs these tests, and no others, in a folder. With `bail`, stops at the first failure. */
export async function runTests(
  folder: string,
  tests: readonly NamedTest[],
  { bail }: { bail: boolean },
): Promise<TestRun> {
  const report = path.join(folder, 'mutation-report.json');
  fs.rmSync(report, { force: true });
  const files = [...new Set(tests.map(({ file }) => file))];
  const output = await vitest(folder, [
    ...files,
    // Groups that a function puts around its tests are not part of their title on the page.
    `--testNamePattern=^(?:.* )?(?:${tests.map(({ title }) => patternOf(title)).join('|')})$`,
    '--reporter=json',
    `--outputFile=${report}`,
    ...(bail ? ['--bail=1'] : []),
  ]);
  if (!fs.existsSync(report)) return { passed: 0, failed: [], faults: [output.trim().slice(-2000)] };
  return summarize(JSON.parse(fs.readFileSync(report, 'utf8')) as JsonReport);
}

function summarize({ testResults }: JsonReport): TestRun {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  const faults = testResults
    .filter(({ status, assertionResults }) => {
      return status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
    })
    .map(({ name, message }) => `${name}: ${message}`);
  return { passed: tests.filter(({ status }) => status === 'passed').length, failed, faults };
}

/** Vitest joins groups and title with spaces and fills in placeholders. */
const patternOf = (title: string): string =>
  title
    .split(' › ')
    .map((part) => part.split(PLACEHOLDER).map(escaped).join('.*'))
    .join(' ');

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Ends the run that is under way: it would outlive a script that a signal ends. */
export function stopTests(): void {
  running?.kill('SIGTERM');
}

let running: ChildProcess | undefined;

function vitest(folder: string, options: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(folder, 'node_modules/.bin/vitest'), ['run', ...options], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
    });
    running = child;
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    child.once('exit', () => resolve(output));
  });
}
