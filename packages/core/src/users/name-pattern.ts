/** PostgreSQL folds these in every database. */
const IS_ASCII = /^\p{ASCII}*$/u;
const PLAIN = /^[a-z0-9 ]$/i;

/**
 * Returns a regular expression for PostgreSQL that matches a name that contains the text in any case, or undefined if the text is
 * ASCII: ILIKE folds that everywhere, and other letters only in databases of some character types. It also matches names whose
 * accents are characters of their own.
 */
export function namePattern(text: string): string | undefined {
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
