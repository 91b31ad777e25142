/** Returns the format of a day and a time in UTC. @param tag a language tag with the region whose order of a date applies. */
export const timeFormat = (tag: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

const UNITS = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const;

/** Maximum relative difference between a rounded lifetime and the exact one. */
const ROUNDING = 0.05;

/** Formats a lifetime in seconds in the largest suitable unit: `7 days`, `90 minutes`, `45 seconds`. */
export function lifetimeIn(tag: string, lifetime: number): string {
  const { unit, seconds } = UNITS.find((each) => fits(lifetime, each.seconds)) ?? SECOND;
  const count = Math.max(1, Math.round(lifetime / seconds));
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long', useGrouping: false }).format(
    count,
  );
}

const SECOND = { unit: 'second', seconds: 1 } as const;

function fits(seconds: number, unit: number): boolean {
  const count = Math.round(seconds / unit);
  return count >= 2 && Math.abs(count * unit - seconds) <= seconds * ROUNDING;
}
