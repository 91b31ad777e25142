import { allChecks } from './all-checks.js';
import type { Check, CheckGroup, CheckStatus } from './check.js';
import type { PendingFacts } from './probe-result.js';

/** The report of one check, with its title and reason. */
export interface CheckReport {
  readonly id: string;
  readonly group: CheckGroup;
  readonly title: string;
  readonly status: CheckStatus;
  readonly found: string;
  readonly why: string;
  /** The setting or command that fixes it; null if there is nothing to fix. */
  readonly fix: string | null;
}

/** Reports the progress of a diagnosis. */
export type DiagnosisProgress = (done: number, total: number) => void;

/** Runs each check as soon as its facts are known; the reports keep the order of the checks. */
export function runChecks(
  facts: PendingFacts,
  onProgress: DiagnosisProgress = () => undefined,
): Promise<CheckReport[]> {
  let done = 0;
  onProgress(done, allChecks.length);
  const report = async (each: Check): Promise<CheckReport> => {
    const { status, found, fix = null } = await each.verdict(facts);
    onProgress(++done, allChecks.length);
    const { id, group, title, why } = each;
    return { id, group, title, status, found, why, fix };
  };
  return Promise.all(allChecks.map(report));
}
