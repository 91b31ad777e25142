const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Seconds to wait after each failed attempt of a series; after the last one the delivery is given up. */
const DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
const ATTEMPTS = DELAYS.length + 1;
const JITTER = 0.2;
const LONGEST_RETRY_AFTER = HOUR;

/**
 * Returns the seconds to wait after a failed attempt (from 1); undefined if the delivery is given up. A manual retry begins a new
 * series, and attempts keep counting.
 * @param random from 0 to 1: receivers that were unavailable together are not visited together.
 * @param retryAfter seconds that the receiver asked for; obeyed up to an hour.
 */
export function delayAfter(attempt: number, random: number, retryAfter = 0): number | undefined {
  const delay = DELAYS[(attempt - 1) % ATTEMPTS];
  if (delay === undefined) return undefined;
  const spread = delay * (1 + JITTER * (2 * random - 1));
  return Math.max(spread, Math.min(retryAfter, LONGEST_RETRY_AFTER));
}

/** Returns the seconds of the header `Retry-After`: a number, or a date (RFC 9110, section 10.2.3); 0 for anything else. */
export function retryAfterOf(header: string | string[] | undefined, now: number): number {
  if (typeof header !== 'string') return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, (at - now) / 1000);
}
