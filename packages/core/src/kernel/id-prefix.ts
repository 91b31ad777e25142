import { AuthError } from './auth-error.js';
import { isUuid } from './id.js';
import { isCleanText } from './text.js';

/** With fewer characters a slip of the finger would name somebody. */
const FEWEST = 4;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * The prefix of an id or an email as somebody typed it, in the spelling in which both are stored.
 * @throws AuthError `validation_error` for fewer than 4 characters, and for text that no name can hold.
 */
export function prefixOf(text: string): string {
  const prefix = text.trim().toLowerCase();
  if (!isCleanText(prefix)) throw AuthError.validation('The name contains a NUL or an unpaired surrogate.');
  if (prefix.length >= FEWEST) return prefix;
  throw AuthError.validation(
    `"${prefix}" is too short to name anything: give at least ${FEWEST} characters.`,
  );
}

/** The first and the last id that begin so, a range that an index finds; undefined when no id can. */
export function idRangeOf(prefix: string): { first: string; last: string } | undefined {
  const first = prefix + FIRST_ID.slice(prefix.length);
  return isUuid(first) ? { first, last: prefix + LAST_ID.slice(prefix.length) } : undefined;
}
