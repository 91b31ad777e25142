import { FeedRefusal } from './feed-refusal.js';

const FIRST_MS = 100;
/** The feed is read again soon after an outage, however long it was. */
const MAX_MS = 2_000;
/** A wrong credential does not get better, and the service counts it. */
const MAX_PERMANENT_MS = 30_000;

/** Returns the delay before the next attempt, after this many failed ones in a row. Half of it is random. */
export function delayAfter(failures: number, error: unknown, random: () => number): number {
  const refusal = error instanceof FeedRefusal ? error : undefined;
  const least = (refusal?.retryAfterSeconds ?? 0) * 1000;
  const most = refusal?.isPermanent ? MAX_PERMANENT_MS : MAX_MS;
  const first = refusal?.isPermanent ? 1_000 : FIRST_MS;
  const delay = Math.min(most, first * 2 ** Math.min(failures, 20));
  return Math.max(Math.min(least, MAX_PERMANENT_MS), delay / 2) + (delay / 2) * random();
}
