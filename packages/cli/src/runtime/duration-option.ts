import { InvalidArgumentError } from 'commander';

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Reads the duration of an option, in seconds. The unit is required: 400 could mean days. */
export function durationOption(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const seconds = UNIT_SECONDS[unit];
  if (seconds !== undefined) return Number(count) * seconds;
  throw new InvalidArgumentError('It must be a number with its unit, such as 12h or 30d.');
}
