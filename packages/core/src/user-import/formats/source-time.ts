import { isSourceObject } from './source-object.js';

const DIGITS = /^\d{1,15}$/;
/** `2024-01-15 10:30:00.5+00`, as PostgreSQL writes it, or ISO 8601; a time without a zone is in UTC. */
const WRITTEN = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Returns a time in ISO 8601, as `importRecord` takes it; undefined for a value that is none. Numbers are milliseconds
 * since 1970. An object is `{"$date": …}` of MongoDB.
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
  if (typeof value === 'number') return Number.isFinite(value) ? Math.trunc(value) : undefined;
  if (typeof value === 'string') return millisecondsOfText(value.trim());
  if (!isSourceObject(value)) return undefined;
  const inner = value.$date ?? value.$numberLong;
  return isSourceObject(inner) ? millisecondsOf(inner.$numberLong) : millisecondsOf(inner);
}

function millisecondsOfText(text: string): number | undefined {
  if (DIGITS.test(text)) return Number(text);
  const [, day, time, zone = 'Z'] = WRITTEN.exec(text) ?? [];
  if (day === undefined || time === undefined) return undefined;
  const ms = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}${wholeZone(zone)}`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Returns `+01:00` for `+01` and `+0100`. */
function wholeZone(zone: string): string {
  if (zone.length === 1) return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
