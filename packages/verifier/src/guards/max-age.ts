import { exampleOf } from './assert-use.js';

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Returns the seconds of an age such as `5m` or `300`. @throws TypeError for an invalid or missing duration. */
export function readMaxAge(maxAge: unknown): number {
  const isGiven = typeof maxAge === 'string' || typeof maxAge === 'number';
  const match = isGiven ? /^(\d{1,9})([smhd])?$/.exec(String(maxAge).trim()) : null;
  const seconds = match ? Number(match[1]) * (UNIT_SECONDS[match[2] ?? 's'] ?? 1) : 0;
  if (seconds > 0) return seconds;
  throw new TypeError(
    `requireFresh: the age must be a duration like 90, '90s', '5m' or '1h'. Write: ${exampleOf('requireFresh')}`,
  );
}
