import { escapeLike } from '../storage/escape-like.js';
import { emailPrefix } from './email.js';
import { namePattern } from './name-pattern.js';

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
