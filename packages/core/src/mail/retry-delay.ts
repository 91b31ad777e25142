const FIRST_DELAY_SECONDS = 5;
const GROWTH = 3;
const MAX_DELAY_SECONDS = 15 * 60;

/** After this many attempts a mail is given up: more than three hours after the first. */
export const MAX_ATTEMPTS = 20;

/** Seconds to wait after the given attempt (from 1): 5, 15, 45, 135, 405, then 900. A manual retry starts anew. */
export function retryDelay(attempt: number): number {
  const inThisSeries = (attempt - 1) % MAX_ATTEMPTS;
  return Math.min(FIRST_DELAY_SECONDS * GROWTH ** inThisSeries, MAX_DELAY_SECONDS);
}

/** Returns true if a mail is given up when this attempt (from 1) fails. Attempts are never reset. */
export const isLastAttempt = (attempt: number): boolean => attempt % MAX_ATTEMPTS === 0;
