import { withDeadline } from '../kernel/deadline.js';
import { isFaultySetting } from '../settings/readable-settings.js';
import type { FactName, Facts } from './facts.js';
import { failureReason } from './failure-reason.js';

/**
 * What came of asking for a fact: it is known; the question failed; there is nothing to ask, since it is not
 * configured; or it was not asked, since something before it failed.
 */
export type ProbeResult<Fact> =
  | { readonly state: 'known'; readonly value: Fact }
  | { readonly state: 'failed' | 'absent' | 'unasked'; readonly reason: string };

/** Every fact, being asked for. */
export type PendingFacts = { readonly [Name in FactName]: Promise<ProbeResult<Facts[Name]>> };

/** Milliseconds a probe may take. */
const TIMEOUT_MS = 10_000;

/** Asks, and gives up after a while; what is thrown is the reason of the failure. */
export async function ask<Fact>(
  probe: () => Promise<Fact>,
  timeoutMs = TIMEOUT_MS,
): Promise<ProbeResult<Fact>> {
  try {
    return known(await withDeadline(probe(), timeoutMs, `no answer within ${timeoutMs / 1000} s`));
  } catch (error) {
    if (isFaultySetting(error)) return unasked(error.message);
    return { state: 'failed', reason: failureReason(error) };
  }
}

/** Asks what the settings lead to; there is nothing to ask where they lead nowhere. */
export async function askOf<Target, Fact>(
  target: () => Target | undefined,
  probe: (target: Target) => Promise<Fact>,
  nowhere: () => string,
): Promise<ProbeResult<Fact>> {
  const found = await ask(() => Promise.resolve(target()));
  if (found.state !== 'known') return found;
  const { value } = found;
  return value === undefined ? absent(nowhere()) : ask(() => probe(value));
}

export const known = <Fact>(value: Fact): ProbeResult<Fact> => ({ state: 'known', value });
export const absent = (reason: string): ProbeResult<never> => ({ state: 'absent', reason });
export const unasked = (reason: string): ProbeResult<never> => ({ state: 'unasked', reason });

/** The outcome of a question that makes sense only once another one has its answer. */
export async function askAfter<First, Fact>(
  first: Promise<ProbeResult<First>>,
  probe: (fact: First) => Promise<Fact>,
): Promise<ProbeResult<Fact>> {
  const outcome = await first;
  if (outcome.state === 'known') return ask(() => probe(outcome.value));
  return outcome.state === 'failed' ? unasked('not looked at') : outcome;
}
