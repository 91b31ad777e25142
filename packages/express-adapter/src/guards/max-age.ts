import { parseDuration } from '@latchkey/core/settings';
import { exampleOf } from './assert-use.js';

/**
 * Seconds of an age such as `5m` or `300`.
 * @throws TypeError for what is no duration, and for none at all.
 */
export function readMaxAge(maxAge: unknown): number {
  const isOne = typeof maxAge === 'string' || typeof maxAge === 'number';
  const seconds = isOne ? parseDuration(String(maxAge)) : undefined;
  if (seconds !== undefined && seconds > 0) return seconds;
  throw new TypeError(
    `requireFresh: the age must be a duration like 90, '90s', '5m' or '1h'. Write: ${exampleOf('requireFresh')}`,
  );
}
