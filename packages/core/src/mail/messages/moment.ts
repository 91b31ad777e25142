const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** Formats a time, such as `on 20 November 2026 at 14:05 UTC`. */
export const moment = (at: Date): string => `on ${time(at)}`;

/** Formats a time, such as `20 November 2026 at 14:05 UTC`. */
export const time = (at: Date): string => `${MOMENT.format(at)} UTC`;

const UNITS = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3_600 },
  { name: 'minute', seconds: 60 },
] as const;

/** Maximum relative difference between a rounded lifetime and the exact one. */
const ROUNDING = 0.05;

/** Formats a lifetime in seconds in the largest suitable unit: `7 days`, `90 minutes`, `45 seconds`. */
export function lifetime(seconds: number): string {
  const unit = UNITS.find((each) => fits(seconds, each.seconds)) ?? { name: 'second', seconds: 1 };
  const count = Math.max(1, Math.round(seconds / unit.seconds));
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`;
}

function fits(seconds: number, unit: number): boolean {
  const count = Math.round(seconds / unit);
  return count >= 2 && Math.abs(count * unit - seconds) <= seconds * ROUNDING;
}
