// Runs the suite on the other versions of Node that Latchkey supports: `npm run test:nodes`; --help says more.
// `.ci/run` runs the short form.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runVitest } from '../shared/vitest.mjs';
import { installNode, NODES } from './node-versions.mjs';
import { SHORT_FILES } from './short-files.mjs';

const HELP = `Usage: npm run test:nodes -- [options] [files]

Installs the newest releases of the supported majors of Node beside the one at hand, and runs the
suite on each, one after the other. Fails when the suite fails on one of them.

  --only MAJOR  one major: ${Object.keys(NODES).join(' or ')}
  --short       the tests that depend most on Node itself (about a minute for each major)
  --help        print this

Files and options after -- go to Vitest: npm run test:nodes -- --only 24 -- test/e2e -t "second signal"`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function chosenMajors() {
  const majors = Object.keys(NODES);
  if (options.only === undefined) return majors;
  if (!majors.includes(options.only)) {
    throw new Error(`--only: there is no version ${options.only}; use one of ${majors.join(', ')}.`);
  }
  return [options.only];
}

/** The files, and in the short form one worker: four would load the modules four times, which costs more than the tests. */
const filters = options.short ? ['--no-file-parallelism', ...SHORT_FILES, ...positionals] : positionals;

/** Runs the suite on one version, and returns the line that sums it up. */
async function tryNode(major) {
  const { version, folder } = installNode(major);
  console.log(`\n== Node ${version}`);
  const started = performance.now();
  // The folder comes first on the path, because shells in tests start `node` by its name.
  const env = { PATH: `${folder}${path.delimiter}${process.env.PATH ?? ''}` };
  const isPassed = await runVitest(filters, { node: path.join(folder, 'node'), env });
  if (!isPassed) process.exitCode = 1;
  const seconds = Math.round((performance.now() - started) / 1000);
  return `Node ${version}: ${isPassed ? 'passed' : 'FAILED'}, ${seconds} s`;
}

async function tryNodes() {
  const lines = [];
  for (const major of chosenMajors()) lines.push(await tryNode(major));
  console.log(`\n${lines.join('\n')}`);
}

if (options.help) console.log(HELP);
else {
  await tryNodes().catch((error) => {
    console.log(error.message);
    process.exitCode = 1;
  });
}
