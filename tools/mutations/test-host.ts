// Runs named tests for `named-tests.ts` in a process of its own, which a defect may hang. One Vitest serves all defects, so
// that PostgreSQL, the configuration and the modules that no defect touches are set up once.
import path from 'node:path';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import type { NamedTest } from '../../test/support/threat-model.js';
import { ResultCollector } from './result-collector.js';
import type { RunRequest, TestRun } from './test-run.js';
import { titlePattern } from './title-pattern.js';

/** A test that is under way when another one fails may end by itself; then its worker is killed. */
const GRACE_MS = 3_000;

const collector = new ResultCollector();
let current: Vitest | undefined;

async function open(): Promise<Vitest> {
  const vitest = await createVitest('test', { watch: false, reporters: [collector] });
  await vitest.globTestSpecifications();
  return vitest;
}

async function close(): Promise<void> {
  const vitest = current;
  current = undefined;
  await vitest?.close();
}

/** Returns a Vitest that has loaded none of the files as they were before they changed. */
async function vitestFor(changed: readonly string[]): Promise<Vitest> {
  const files = changed.map((file) => path.resolve(file));
  // What the global setup has loaded stays loaded.
  if (current && files.some((file) => isLoadedBySetup(current, file))) await close();
  current ??= await open();
  for (const file of files) current.invalidateFile(file);
  return current;
}

const isLoadedBySetup = (vitest: Vitest | undefined, file: string): boolean =>
  Object.values(vitest?.getRootProject().vite.environments ?? {}).some(
    ({ moduleGraph }) => moduleGraph.getModulesByFile(file) !== undefined,
  );

/** Each file runs its own named tests and no others. */
function specificationsOf(vitest: Vitest, tests: readonly NamedTest[]): TestSpecification[] {
  const files = new Set(tests.map(({ file }) => file));
  return [...files].flatMap((file) => {
    const titles = tests.filter((test) => test.file === file).map(({ title }) => title);
    const moduleId = path.resolve(file);
    return vitest
      .getModuleSpecifications(moduleId)
      .map(({ project }) => project.createSpecification(moduleId, { testNamePattern: titlePattern(titles) }));
  });
}

async function run({ changed, tests, bail }: RunRequest): Promise<TestRun> {
  const vitest = await vitestFor(changed);
  const cancel = (): void => void vitest.cancelCurrentRun('test-failure');
  let impatient: NodeJS.Timeout | undefined;
  collector.start(() => {
    if (!bail) return;
    cancel();
    // The second request kills the workers.
    impatient = setTimeout(cancel, GRACE_MS);
  });
  try {
    const { unhandledErrors } = await vitest.rerunTestSpecifications(specificationsOf(vitest, tests));
    return collector.result(unhandledErrors);
  } finally {
    clearTimeout(impatient);
  }
}

/** A setup that failed half-way is no base for the next run. */
async function runOrReset(request: RunRequest): Promise<TestRun> {
  try {
    return await run(request);
  } catch (error) {
    await close();
    return { passed: 0, failed: [], faults: [String(error)] };
  }
}

async function end(): Promise<void> {
  await close();
  process.exit();
}

process.on('message', (request: RunRequest) => {
  void runOrReset(request).then((result) => process.send?.(result));
});
process.once('disconnect', () => void end());
