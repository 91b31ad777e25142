import { z } from 'zod';
import { durationText, parseDuration } from './duration.js';

/** The bounds of a duration, in seconds. */
interface DurationBounds {
  from: number;
  to: number;
}

/**
 * Returns the schema of a duration: whole seconds, or a text such as `24h`. It parses to seconds.
 * @example
 * ```ts
 * durationInput({ from: 0, to: 86_400 }).parse('1h'); // → 3600
 * ```
 */
export function durationInput({ from, to }: DurationBounds) {
  const fault = `must be ${from} to ${to} seconds, as a whole number or as a duration such as ${durationText(to)}`;
  const text = z.string().regex(/^\d{1,9}[smhd]?$/, fault);
  return z
    .union([z.int().min(from).max(to), text], { error: fault })
    .transform((given) => (typeof given === 'number' ? given : (parseDuration(given) ?? Infinity)))
    .refine((seconds) => seconds >= from && seconds <= to, fault);
}
