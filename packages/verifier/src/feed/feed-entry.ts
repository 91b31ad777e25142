import { isObject } from '../json.js';

/** Something that ends tokens before they expire. */
export type FeedEntry =
  | { type: 'session-revoked'; sid: string }
  | { type: 'token-claims-change'; sub: string; minTokenVersion: number }
  | { type: 'api-key-revoked'; kid: string }
  | { type: 'api-key-rotated'; kid: string; at: string };

/**
 * Reads the entries of a message. Unknown types are left out: a newer service may have more.
 * @throws TypeError for a message that cannot be read, since it may have held a revocation.
 */
export function readEntries(message: unknown): FeedEntry[] {
  const entries = isObject(message) ? message.entries : undefined;
  if (!Array.isArray(entries)) throw unreadable();
  return entries.map(readEntry).filter((entry) => entry !== undefined);
}

function readEntry(entry: unknown): FeedEntry | undefined {
  if (!isObject(entry) || typeof entry.type !== 'string') throw unreadable();
  const { type, sid, sub, minTokenVersion, kid, at } = entry;
  if (type === 'session-revoked') {
    if (typeof sid !== 'string') throw unreadable();
    return { type, sid };
  }
  if (type === 'token-claims-change') {
    if (typeof sub !== 'string' || typeof minTokenVersion !== 'number') throw unreadable();
    return { type, sub, minTokenVersion };
  }
  if (type === 'api-key-revoked' || type === 'api-key-rotated') {
    if (typeof kid !== 'string' || typeof at !== 'string') throw unreadable();
    return { type, kid, at };
  }
  return undefined;
}

const unreadable = (): TypeError => new TypeError('the revocation feed sent a message that cannot be read');
