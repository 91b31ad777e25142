import { isFaultySetting } from '@latchkey/core/internal/settings/readable-settings';
import type { FactName, Facts } from './facts.js';
import type { ProbeResult, PendingFacts } from './probe-result.js';

/** The headings of checks, in their order. */
export const checkGroups = [
  'Settings',
  'Keys and secrets',
  'Addresses',
  'Database',
  'Redis',
  'Mail',
  'Webhooks',
  'External sign-in',
  'Core service',
  'Finance database',
  'This machine',
] as const;

export type CheckGroup = (typeof checkGroups)[number];

/** The status of a check; `skipped` if it is not configured or could not be checked. */
export type CheckStatus = 'ok' | 'warning' | 'error' | 'skipped';

/** The result of one check. */
export interface Verdict {
  readonly status: CheckStatus;
  /** The finding, without any part of a secret. */
  readonly found: string;
  /** The setting or command that fixes it. */
  readonly fix?: string;
}

interface CheckWords {
  /** Stable, for programs: `redis.eviction`. */
  readonly id: string;
  readonly group: CheckGroup;
  /** The expected state. */
  readonly title: string;
  /** The consequence of any other state. */
  readonly why: string;
}

/** One check of the service, its settings or a dependency. */
export interface Check extends CheckWords {
  /** Waits for the facts that it judges. */
  readonly verdict: (facts: PendingFacts) => Promise<Verdict>;
}

interface Judged<Name extends FactName> extends CheckWords {
  readonly needs: readonly Name[];
  readonly judge: (facts: Pick<Facts, Name>) => Verdict;
}

/** Returns a check of facts; it is skipped if one of them is not known. */
export function check<Name extends FactName>({ needs, judge, ...words }: Judged<Name>): Check {
  const verdict = async (pending: PendingFacts): Promise<Verdict> => {
    const known: [Name, unknown][] = [];
    for (const name of needs) {
      const outcome: ProbeResult<unknown> = await pending[name];
      if (outcome.state !== 'known') return skipped(outcome.reason);
      known.push([name, outcome.value]);
    }
    // Each value has the name it was requested by.
    return unlessFaulty(() => judge(Object.fromEntries(known) as Pick<Facts, Name>));
  };
  return { ...words, verdict };
}

/** Returns the verdict; a faulty setting skips the checks that read it, and no others. */
function unlessFaulty(judge: () => Verdict): Verdict {
  try {
    return judge();
  } catch (cause) {
    if (isFaultySetting(cause)) return skipped(cause.message);
    throw cause;
  }
}

interface Reached<Name extends FactName> extends CheckWords {
  readonly reaches: Name;
  readonly judge: (fact: Facts[Name]) => Verdict;
  /** The fix if there was no answer; may depend on the reason of the failure, and on its own fix. */
  readonly fix: string | ((reason: string, fix: string | undefined) => string);
  /** The verdict if there is nothing to reach. Defaults to skipped. */
  readonly absent?: (reason: string) => Verdict;
}

/** Returns a check that a dependency answers at all: no answer is an error. */
export function reachCheck<Name extends FactName>(definition: Reached<Name>): Check {
  const { reaches, judge, fix, absent = skipped, ...words } = definition;
  const verdict = async (pending: PendingFacts): Promise<Verdict> => {
    const outcome: ProbeResult<Facts[Name]> = await pending[reaches];
    if (outcome.state === 'known') return judge(outcome.value);
    if (outcome.state === 'failed') {
      return error(outcome.reason, typeof fix === 'string' ? fix : fix(outcome.reason, outcome.fix));
    }
    return outcome.state === 'absent' ? absent(outcome.reason) : skipped(outcome.reason);
  };
  return { ...words, verdict };
}

export const ok = (found: string): Verdict => ({ status: 'ok', found });
export const warning = (found: string, fix: string): Verdict => ({ status: 'warning', found, fix });
export const error = (found: string, fix: string): Verdict => ({ status: 'error', found, fix });
export const skipped = (found: string): Verdict => ({ status: 'skipped', found });
