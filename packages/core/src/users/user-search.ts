import { escapeLike } from '../storage/escape-like.js';
import { emailPrefix } from './email.js';

/** PostgreSQL folds these in every database. */
const IS_ASCII = /^\p{ASCII}*$/u;
const PLAIN = /^[a-z0-9 ]$/i;

/**
 * Returns a regular expression for PostgreSQL that matches a name that contains the text in any case, or undefined if the text is
 * ASCII: ILIKE folds that everywhere, and other letters only in databases of some character types. It also matches names whose
 * accents are characters of their own.
 */
function namePattern(text: string): string | undefined {
  return IS_ASCII.test(text) ? undefined : Array.from(text.normalize('NFC'), spellings).join('');
}

/** Returns all spellings of a character: in both cases, composed and decomposed. */
function spellings(character: string): string {
  const cases = [character, character.toLowerCase(), character.toUpperCase()];
  const all = new Set(cases.flatMap((each) => [each.normalize('NFC'), each.normalize('NFD')]));
  const [first = '', ...others] = Array.from(all, escaped);
  return others.length === 0 ? first : `(?:${[first, ...others].join('|')})`;
}

/** Punctuation after a backslash means itself. */
const escaped = (text: string): string =>
  Array.from(text, (each) => (IS_ASCII.test(each) && !PLAIN.test(each) ? `\\${each}` : each)).join('');

/** The patterns of a search: a user matches one of them. */
interface UserSearch {
  /** For `LIKE`. */
  email: string;
  /** For `~*`, which folds the ASCII letters of the pattern; null if `names` has the patterns. */
  name: string | null;
  /** For `ILIKE`. */
  names: string[];
}

/** The index of names has three characters at a time, so shorter texts are searched at the start of words only: it has those too. */
const SHORTEST_PART = 3;

/** Reports whether the index of names finds a text anywhere in a name. */
export const isIndexedPart = (search: string): boolean =>
  Array.from(search.normalize('NFC')).length >= SHORTEST_PART;

/**
 * Returns the patterns of the users whose email starts with a text or whose name contains it.
 * @param isPart false if only words of the name that start with the text count. Defaults to what the index of names finds.
 */
export function userSearch(search: string, isPart = isIndexedPart(search)): UserSearch {
  const email = `${escapeLike(emailPrefix(search))}%`;
  const pattern = namePattern(search);
  if (pattern !== undefined) return { email, name: isPart ? pattern : `(?:^|[ -])${pattern}`, names: [] };
  const names = (isPart ? ['%'] : ['', '% ', '%-']).map((start) => `${start}${escapeLike(search)}%`);
  return { email, name: null, names };
}
