import { parseDuration } from '@latchkey/core/settings';
import { guardLine } from './guard-line.js';

/**
 * Returns the seconds of an age such as `5m` or `300`.
 * @throws TypeError for an invalid or missing duration.
 */
export function readMaxAge(maxAge: unknown): number {
  const isGiven = typeof maxAge === 'string' || typeof maxAge === 'number';
  const seconds = isGiven ? parseDuration(String(maxAge)) : undefined;
  if (seconds !== undefined && seconds > 0) return seconds;
  throw new TypeError(
    `requireFresh: the age must be a duration like 90, '90s', '5m' or '1h'. Write: ${guardLine('requireFresh')}`,
  );
}
