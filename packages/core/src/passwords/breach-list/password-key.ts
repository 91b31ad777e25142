import { isAscii, isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { normalizedPassword } from '../normalized-password.js';
import type { FilterKey } from './filter-block.js';

const HEX_DIGITS_OF_HALF = 8;

/** Returns the key of a password: the first 64 bits of the SHA-1 of its UTF-8, as in public lists. */
export function keyOf(password: string | Buffer): FilterKey {
  const digits = hash('sha1', password, 'hex');
  return {
    high: Number.parseInt(digits.slice(0, HEX_DIGITS_OF_HALF), 16),
    low: Number.parseInt(digits.slice(HEX_DIGITS_OF_HALF, 2 * HEX_DIGITS_OF_HALF), 16),
  };
}

/**
 * Returns the key of a password as it is, and that of its normalized form if it differs. Public lists have hashes of the
 * text as it was typed, words may be in either form, and the stored hash is of the normalized one.
 */
export function keysOf(password: string): FilterKey[] {
  const normalized = normalizedPassword(password) ?? password;
  return normalized === password ? [keyOf(password)] : [keyOf(password), keyOf(normalized)];
}

/** Returns the keys of a line of a file. Old lists of words are in Latin-1, and browsers send UTF-8. */
export const keysOfLine = (line: Buffer): FilterKey[] =>
  isAscii(line) ? [keyOf(line)] : keysOf(line.toString(isUtf8(line) ? 'utf8' : 'latin1'));
