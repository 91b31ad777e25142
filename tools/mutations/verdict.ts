import type { Mutation } from '../../test/mutations/mutation.js';
import type { ThreatModelPromise } from '../../test/support/threat-model.js';
import type { NamedTests } from './named-tests.js';
import type { ScratchCopy } from './scratch-copy.js';

/** The outcome for one planted defect. */
export interface Verdict {
  mutation: Mutation;
  /** `killed`: a named test failed; `survived`: all passed; `broken`: the tests could not run. */
  outcome: 'killed' | 'survived' | 'broken';
  /** The test that noticed, or why nothing could be said. */
  explanation: string;
}

/** Longest run of the tests of one promise: twice the time in which a test that hangs fails. */
const LIMIT_MS = 600_000;

/** Plants a defect, runs the tests that its promise names until one notices, and undoes it. */
export async function judge(
  { copy, runner }: { copy: ScratchCopy; runner: NamedTests },
  mutation: Mutation,
  { tests }: ThreatModelPromise,
): Promise<Verdict> {
  const undo = copy.plant(mutation);
  try {
    const { failed, faults, passed } = await runner.run(
      { tests, changed: copy.takeChanged(), bail: true },
      LIMIT_MS,
    );
    if (failed[0] !== undefined) return { mutation, outcome: 'killed', explanation: failed[0] };
    if (faults[0] !== undefined) return { mutation, outcome: 'broken', explanation: faults[0] };
    if (passed === 0) return { mutation, outcome: 'broken', explanation: 'no test ran' };
    return { mutation, outcome: 'survived', explanation: `${passed} tests passed` };
  } finally {
    undo();
  }
}
