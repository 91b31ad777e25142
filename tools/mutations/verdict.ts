import type { Mutation } from '../../test/mutations/mutation.js';
import type { ThreatModelPromise } from '../../test/support/threat-model.js';
import { runTests, type TestRun } from './run-tests.js';
import type { ScratchCopy } from './scratch-copy.js';

/** The outcome for one planted defect. */
export interface Verdict {
  mutation: Mutation;
  /** `killed`: a named test failed; `survived`: all passed; `broken`: the tests could not run. */
  outcome: 'killed' | 'survived' | 'broken';
  /** The test that noticed, or why nothing could be said. */
  explanation: string;
}

/** Plants a defect, runs the tests that its promise names, and undoes it. */
export async function judge(
  copy: ScratchCopy,
  mutation: Mutation,
  { tests }: ThreatModelPromise,
): Promise<Verdict> {
  const undo = copy.plant(mutation);
  try {
    copy.build();
    const { failed, faults, passed } = await runUntilNoticed(copy, tests);
    if (failed[0] !== undefined) return { mutation, outcome: 'killed', explanation: failed[0] };
    if (faults[0] !== undefined) return { mutation, outcome: 'broken', explanation: faults[0] };
    if (passed === 0) return { mutation, outcome: 'broken', explanation: 'no test ran' };
    return { mutation, outcome: 'survived', explanation: `${passed} tests passed` };
  } catch (error) {
    return { mutation, outcome: 'broken', explanation: String(error) };
  } finally {
    undo();
  }
}

/**
 * Stops at the first failure, for time. Where files run side by side, Vitest may stop before that failure is reported: a
 * run without a failure is run again, to its end.
 */
async function runUntilNoticed(copy: ScratchCopy, tests: ThreatModelPromise['tests']): Promise<TestRun> {
  const run = await runTests(copy.folder, tests, { bail: true });
  return run.failed.length > 0 ? run : await runTests(copy.folder, tests, { bail: false });
}
