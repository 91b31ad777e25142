// Plants defects, one at a time, in a copy of the working tree, and runs the tests that the threat model names for the
// promise which the defect breaks. A defect that no named test notices fails the run: `npm run mutations -- --help`.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { allMutations } from '../../test/mutations/all-mutations.js';
import type { Mutation } from '../../test/mutations/mutation.js';
import { promisesOf, threatModelPage, type ThreatModelPromise } from '../../test/support/threat-model.js';
import { root } from '../shared/repository-files.mjs';
import { compileDefects } from './compile-defects.js';
import { NamedTests } from './named-tests.js';
import { ScratchCopy } from './scratch-copy.js';
import { judge, type Verdict } from './verdict.js';

const HELP = `Usage: npm run mutations -- [options]

Plants each defect of test/mutations in a copy of the working tree and runs the tests that
docs/threat-model.md names for the promise it breaks. Fails when no named test notices, and
before that when a defect, of the whole list, does not compile.

  --only TEXT    defects whose description, file or promise contains TEXT
  --short        the first defect of every third section of the threat model, of others at the next
                 commit (a minute or two)
  --shard N/M    the Nth of M equal parts of the list: two at once keep two processors busy (about half an hour)
  --no-baseline  do not run the tests without a defect first: they have just passed
  --list         print the defects and run nothing
  --help         print this`;

const { values: options } = parseArgs({
  allowNegative: true,
  options: {
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
    shard: { type: 'string', default: '1/1' },
    baseline: { type: 'boolean', default: true },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

type Planned = { mutation: Mutation; promise: ThreatModelPromise };

async function plan(): Promise<Planned[]> {
  const promises = new Map(promisesOf(threatModelPage()).map((promise) => [promise.promise, promise]));
  const planned = (await allMutations()).map((mutation) => {
    const promise = promises.get(mutation.promise);
    if (!promise) throw new Error(`docs/threat-model.md does not promise: ${mutation.promise}`);
    return { mutation, promise };
  });
  const { only } = options;
  const chosen =
    only === undefined ? planned : planned.filter((one) => JSON.stringify(one.mutation).includes(only));
  return shardOf(options.short ? thirdOf(firstOfEachSection(chosen)) : chosen);
}

/** Takes every Mth defect, so that the parts cost about the same. @throws Error when `--shard` is not N/M with N from 1 to M. */
function shardOf(planned: readonly Planned[]): Planned[] {
  const [shard = 0, shards = 0] = /^\d+\/\d+$/.test(options.shard)
    ? options.shard.split('/').map(Number)
    : [];
  if (shard < 1 || shard > shards)
    throw new Error(`--shard: write N/M with N from 1 to M, not "${options.shard}".`);
  return planned.filter((_, index) => index % shards === shard - 1);
}

function firstOfEachSection(planned: readonly Planned[]): Planned[] {
  const bySection = new Map<string, Planned>();
  for (const one of planned) if (!bySection.has(one.promise.section)) bySection.set(one.promise.section, one);
  return [...bySection.values()];
}

const THIRDS = 3;

/** Takes every third defect. The commit says which, so that its check is the same each time, and three have had them all. */
function thirdOf(planned: readonly Planned[]): Planned[] {
  const { stdout } = spawnSync('git', ['rev-list', '--count', 'HEAD'], { cwd: root, encoding: 'utf8' });
  const turn = Number(stdout) % THIRDS;
  return planned.filter((_, index) => index % THIRDS === turn);
}

/** Longest run of all named tests. */
const BASELINE_LIMIT_MS = 3_600_000;

/** A test that fails without a defect would notice every one. */
async function assertTestsPass(runner: NamedTests, planned: readonly Planned[]): Promise<void> {
  console.log('Running the named tests without a defect …');
  const tests = [...new Set(planned.flatMap(({ promise }) => promise.tests))];
  const { failed, faults, passed } = await runner.run({ tests, changed: [], bail: false }, BASELINE_LIMIT_MS);
  if (failed.length + faults.length > 0)
    throw new Error(['These fail already:', ...failed, ...faults].join('\n  '));
  console.log(`${passed} tests pass.\n`);
}

async function judgeAll(planned: readonly Planned[]): Promise<Verdict[]> {
  const copy = new ScratchCopy();
  const runner = new NamedTests(copy.folder);
  const cleanUp = async (): Promise<void> => {
    await runner.close();
    copy.remove();
  };
  const stop = (): void => void cleanUp().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    if (options.baseline) await assertTestsPass(runner, planned);
    const verdicts: Verdict[] = [];
    for (const { mutation, promise } of planned) {
      const startedAt = Date.now();
      const verdict = await judge({ copy, runner }, mutation, promise);
      verdicts.push(verdict);
      print(verdict, `${verdicts.length}/${planned.length}`, Date.now() - startedAt);
    }
    return verdicts;
  } finally {
    await cleanUp();
  }
}

function print({ mutation, outcome, explanation }: Verdict, position: string, elapsedMs: number): void {
  console.log(`[${position}] ${outcome.padEnd(8)} ${Math.round(elapsedMs / 1000)} s  ${mutation.defect}`);
  console.log(`    ${outcome === 'killed' ? 'by: ' : ''}${explanation}`);
}

async function main(): Promise<void> {
  if (options.help) {
    console.log(HELP);
    return;
  }
  const planned = await plan();
  if (options.list) {
    for (const { mutation } of planned) console.log(`${mutation.file}: ${mutation.defect}`);
    return;
  }
  if (planned.length === 0) throw new Error('No defect matches.');
  const faults = compileDefects(await allMutations());
  if (faults.length > 0) throw new Error(['These defects do not compile:', ...faults].join('\n  '));
  const verdicts = await judgeAll(planned);
  const unnoticed = verdicts.filter(({ outcome }) => outcome !== 'killed');
  for (const { mutation, outcome } of unnoticed) {
    console.log(`\n${outcome}: ${mutation.defect} (${mutation.file})\n  promise: ${mutation.promise}`);
  }
  console.log(`\n${verdicts.length - unnoticed.length} of ${verdicts.length} defects were noticed.`);
  process.exitCode = unnoticed.length === 0 ? 0 : 1;
}

await main().catch((error: unknown) => {
  console.log(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
