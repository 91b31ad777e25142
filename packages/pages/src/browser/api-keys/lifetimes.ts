import { apiKeyMessages as messages } from '../../messages/en/api-keys.js';
import { appData } from '../app-data.js';

const DAY = 86_400;
const USUAL = [7, 30, 90, 365].map((days) => days * DAY);

/** The lifetime that the service chooses, in seconds, as a value of `lifetimeOptions`. */
export const DEFAULT_LIFETIME = String(appData.apiKeyLifetime);

/** Returns the lifetimes that the service allows: seconds, or an empty value for a key that does not expire. */
export function lifetimeOptions(): (readonly [string, string])[] {
  const { apiKeyLifetime, apiKeyMaxLifetime } = appData;
  const longest = apiKeyMaxLifetime ?? Infinity;
  const seconds = new Set([...USUAL, apiKeyLifetime, ...(apiKeyMaxLifetime === undefined ? [] : [longest])]);
  const allowed = [...seconds].filter((each) => each <= longest).sort((one, other) => one - other);
  const ends = allowed.map((each) => [String(each), messages.after(daysOf(each))] as const);
  return apiKeyMaxLifetime === undefined ? [...ends, ['', messages.never]] : ends;
}

/** A lifetime that is set to hours is a part of a day. */
const daysOf = (seconds: number): number => Math.round((seconds / DAY) * 10) / 10;

/** Returns the field of a request. */
export const lifetimeOf = (value: string): number | null => (value === '' ? null : Number(value));
