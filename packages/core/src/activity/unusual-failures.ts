import type { ActivityDay } from './activity-repository.js';

/** Days that say what is usual, without today. */
export const USUAL_DAYS = 14;
/** Fewer failures than this are people who mistype. */
const FEWEST = 20;
const TIMES_USUAL = 3;

/**
 * Returns the failed sign-ins of today and the usual number of a day, if today has more than three times as many; null otherwise. The
 * median is the usual number, so that one earlier attack does not hide the next.
 * @param days the last one is today.
 */
export function unusualFailures(
  days: readonly Pick<ActivityDay, 'failedSignIns'>[],
): { failures: number; usual: number } | null {
  const failures = days.at(-1)?.failedSignIns ?? 0;
  const earlier = days.slice(-1 - USUAL_DAYS, -1).map(({ failedSignIns }) => failedSignIns);
  const usual = earlier.toSorted((a, b) => a - b)[Math.floor(earlier.length / 2)] ?? 0;
  return failures >= FEWEST && failures > TIMES_USUAL * usual ? { failures, usual } : null;
}
