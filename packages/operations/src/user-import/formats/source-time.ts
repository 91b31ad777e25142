import { isSourceObject } from './source-object.js';

const DIGITS = /^-?\d{1,19}(?:\.\d{1,9})?$/;
/** `2024-01-15 10:30:00.5+00`, as PostgreSQL writes it, or ISO 8601; without a time it is midnight, without a zone UTC. */
const WRITTEN =
  /^(\d{4})[-/](\d\d)[-/](\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Returns a time in ISO 8601, as `importRecord` takes it; undefined for a value that is none. Numbers are seconds, milli-, micro- or
 * nanoseconds since 1970: no user is older than 1973. An object is `{"$date": …}` of MongoDB.
 */
export function timeOf(value: unknown): string | undefined {
  const ms = millisecondsOf(value);
  return ms === undefined || !(ms >= MIN_MS && ms <= MAX_MS) ? undefined : new Date(ms).toISOString();
}

/** The years 1 to 9999, which have four digits. */
const MIN_MS = Date.parse('0001-01-01T00:00:00Z');
const MAX_MS = Date.parse('9999-12-31T00:00:00Z');

/** Returns milliseconds since 1970. */
export function millisecondsOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? ofNumber(value) : undefined;
  if (typeof value === 'string') return millisecondsOfText(value.trim());
  if (!isSourceObject(value)) return undefined;
  const inner = value.$date ?? value.$numberLong;
  return isSourceObject(inner) ? millisecondsOf(inner.$numberLong) : millisecondsOf(inner);
}

/** Milliseconds are 100 billion in March 1973, and seconds in the year 5138. */
const SMALLEST_MS = 1e11;

function ofNumber(value: number): number {
  const size = Math.abs(value);
  if (size < SMALLEST_MS) return Math.trunc(value * 1000);
  if (size < SMALLEST_MS * 1e3) return Math.trunc(value);
  return Math.trunc(size < SMALLEST_MS * 1e6 ? value / 1e3 : value / 1e6);
}

function millisecondsOfText(text: string): number | undefined {
  if (DIGITS.test(text)) return ofNumber(Number(text));
  const [, year, month, day, time = '00:00', zone = 'Z'] = WRITTEN.exec(text) ?? [];
  if (day === undefined) return undefined;
  const clock = (time.length === 5 ? `${time}:00` : time).replace(',', '.');
  const date = `${year}-${month}-${day}`;
  const ms = Date.parse(`${date}T${clock}${wholeZone(zone)}`);
  if (Number.isNaN(ms)) return undefined;
  // JavaScript takes the 31st of February for the 2nd of March.
  return new Date(`${date}T00:00:00Z`).toISOString().startsWith(date) ? ms : undefined;
}

/** Returns `+01:00` for `+01` and `+0100`. */
function wholeZone(zone: string): string {
  if (/^[a-z]/i.test(zone)) return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** Returns a time like `timeOf`; one that cannot be read is noted and left out. */
export function notedTimeOf(value: unknown, field: string, notes: string[]): string | undefined {
  const time = timeOf(value);
  const isStated = value !== undefined && value !== null && value !== '';
  if (time === undefined && isStated) notes.push(`The time in ${field} cannot be read and is left out.`);
  return time;
}
