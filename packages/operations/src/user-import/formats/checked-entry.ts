import { findUncleanText } from '@latchkey/core/internal/kernel/text';
import type { MappedUser, SourceEntry } from './source-entry.js';

/** Returns the entry of a user, or a fault if the user has a text that cannot be stored. */
export function checkedEntry(position: number, user: MappedUser): SourceEntry {
  const found = 'record' in user ? findUncleanText(user.record) : undefined;
  return found === undefined ? { position, ...user } : { position, fault: `${found}.` };
}

const BACKSLASH = 0x5c;

/**
 * Reports whether a chunk may have an escape of JSON such as `\u0000`, which alone makes a text that cannot be stored. Few
 * files have any, and this search costs less than checking each text.
 */
export const mayHaveEscapes = (chunk: Buffer): boolean => chunk.includes('\\u') || chunk.at(-1) === BACKSLASH;
