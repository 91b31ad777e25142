const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The units, each with its limit; the first whose limit is not reached is used. */
const UNITS: [unit: Intl.RelativeTimeFormatUnit, milliseconds: number, limit: number][] = [
  ['second', SECOND, MINUTE],
  ['minute', MINUTE, HOUR],
  ['hour', HOUR, DAY],
  ['day', DAY, 60 * DAY],
  ['month', 30 * DAY, 730 * DAY],
  ['year', 365 * DAY, Number.POSITIVE_INFINITY],
];

const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** Returns `3 minutes ago` or `in 13 days`; an empty text for an unknown time. */
export function relativeTime(time: string | null | undefined, now = Date.now()): string {
  if (time === null || time === undefined) return '';
  const distance = Date.parse(time) - now;
  if (Math.abs(distance) < SECOND) return distance > 0 ? 'now' : 'just now';
  for (const [unit, milliseconds, limit] of UNITS) {
    if (Math.abs(distance) < limit) return words.format(Math.trunc(distance / milliseconds), unit);
  }
  return '';
}
