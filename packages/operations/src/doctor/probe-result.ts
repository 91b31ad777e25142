import { withDeadline } from '@latchkey/core/internal/kernel/deadline';
import { isFaultySetting } from '@latchkey/core/internal/settings/readable-settings';
import type { FactName, Facts } from './facts.js';
import { failureReason } from './failure-reason.js';

/**
 * The result of a probe: the fact is known; the probe failed; the target is absent, since it is not
 * configured; or it was not probed, since an earlier step failed.
 */
export type ProbeResult<Fact> =
  | { readonly state: 'known'; readonly value: Fact }
  | { readonly state: 'failed'; readonly reason: string; readonly fix?: string | undefined }
  | { readonly state: 'absent' | 'unasked'; readonly reason: string };

/** Every fact, while its probe is running. */
export type PendingFacts = { readonly [Name in FactName]: Promise<ProbeResult<Facts[Name]>> };

/** Milliseconds a probe may take. */
const PROBE_TIMEOUT_MS = 10_000;

/** Returns the result of a probe, which fails after the timeout; the thrown error is the reason of the failure. */
export async function ask<Fact>(
  probe: () => Promise<Fact>,
  timeoutMs = PROBE_TIMEOUT_MS,
): Promise<ProbeResult<Fact>> {
  try {
    return known(await withDeadline(probe(), timeoutMs, `no answer within ${timeoutMs / 1000} s`));
  } catch (error) {
    if (isFaultySetting(error)) return unasked(error.message);
    return { state: 'failed', reason: failureReason(error), fix: fixOf(error) };
  }
}

/** Returns the instruction of a failure that has one. */
function fixOf(error: unknown): string | undefined {
  const cause: unknown = error instanceof Error && !('fix' in error) ? error.cause : error;
  return cause instanceof Error && 'fix' in cause && typeof cause.fix === 'string' ? cause.fix : undefined;
}

export const known = <Fact>(value: Fact): ProbeResult<Fact> => ({ state: 'known', value });
export const absent = (reason: string): ProbeResult<never> => ({ state: 'absent', reason });
export const unasked = (reason: string): ProbeResult<never> => ({ state: 'unasked', reason });
