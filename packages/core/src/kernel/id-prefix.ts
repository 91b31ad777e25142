import { AuthError } from './auth-error.js';
import { isUuid } from './id.js';
import { isCleanText } from './text.js';

/** Minimum length: a shorter prefix could match a user by a typing error. */
const FEWEST = 4;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Returns the prefix of an id or an email in the spelling in which both are stored.
 * @throws AuthError `validation_error` for fewer than 4 characters, and for text that no id or email can
 * contain.
 */
export function prefixOf(text: string): string {
  const prefix = text.trim().toLowerCase();
  if (!isCleanText(prefix)) throw AuthError.validation('The name contains a NUL or an unpaired surrogate.');
  if (prefix.length >= FEWEST) return prefix;
  throw AuthError.validation(
    `"${prefix}" is too short to name anything: give at least ${FEWEST} characters.`,
  );
}

/**
 * Returns the first and the last id that begin with the prefix, a range that an index finds; undefined if no
 * id can.
 */
export function idRangeOf(prefix: string): { first: string; last: string } | undefined {
  const first = prefix + FIRST_ID.slice(prefix.length);
  return isUuid(first) ? { first, last: prefix + LAST_ID.slice(prefix.length) } : undefined;
}
