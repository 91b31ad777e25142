// Runs the end-to-end tests on the bindings beside the standalone server: `npm run test:bindings`; --help says more.
// `.ci/run` runs the short form.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readReport, summarize } from '../check/test-summary.mjs';
import { runVitest } from '../shared/vitest.mjs';
import { buildNextApp } from './next-app.mjs';
import { SHORT_FILES } from './short-files.mjs';

const BINDINGS = ['express', 'fetch', 'next'];

/** Without Next.js: its packages and its build would take longer than the tests of the short form. */
const SHORT_BINDINGS = ['express', 'fetch'];

const HELP = `Usage: npm run test:bindings -- [options] [files]

Runs the end-to-end tests with an app of Express, one of the Fetch API and one of Next.js in place of
the standalone server, one after the other. Fails when the tests fail on one of them. The first run
installs Next.js in test/bindings/next.

  --only NAME   one binding: ${BINDINGS.join(', ')}
  --short       the tests that depend most on how requests and responses are passed on; without
                Next.js, unless --only names it
  --help        print this

Files and options after -- go to Vitest: npm run test:bindings -- --only fetch -- test/e2e/head.test.ts`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function chosenBindings() {
  if (options.only === undefined) return options.short ? SHORT_BINDINGS : BINDINGS;
  if (!BINDINGS.includes(options.only)) {
    throw new Error(`--only: there is no binding ${options.only}; use one of ${BINDINGS.join(', ')}.`);
  }
  return [options.only];
}

/** The files, and in the short form one worker: loading the modules would cost more than the tests. */
function filters() {
  if (options.short) return ['--no-file-parallelism', ...SHORT_FILES, ...positionals];
  return positionals.length > 0 ? positionals : ['test/e2e'];
}

/** Runs the tests on one binding, and returns the line that sums them up. */
async function tryBinding(name, scratch) {
  console.log(`\n== ${name}`);
  if (name === 'next') buildNextApp();
  const started = performance.now();
  const file = path.join(scratch, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const isPassed = await runVitest([...filters(), ...reporters], { env: { TEST_BINDING: name } });
  if (!isPassed) process.exitCode = 1;
  const seconds = Math.round((performance.now() - started) / 1000);
  const [counts] = summarize(readReport(file), !isPassed).lines.slice(-1);
  return `${name}: ${counts}, ${seconds} s`;
}

async function tryBindings() {
  const chosen = chosenBindings();
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'latchkey-bindings-'));
  try {
    const lines = [];
    for (const name of chosen) lines.push(await tryBinding(name, scratch));
    console.log(`\n${lines.join('\n')}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (options.help) console.log(HELP);
else {
  await tryBindings().catch((error) => {
    console.log(error.message);
    process.exitCode = 1;
  });
}
