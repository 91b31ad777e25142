/** Rows that people walk along, in both directions: the alphabet, the digits, and keyboards of several countries. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
].flatMap((row) => [row, Array.from(row).reverse().join('')]);

/** Shorter runs occur in words. */
const LEAST_RUN = 3;

/** A repeated unit of more characters is judged by what it is. */
const MAX_UNIT = 4;

/** So many digits and marks around a word add little; longer ones count only when the word is as long. */
const MAX_ADDED = 6;

const REPEATED = new RegExp(`^(.{1,${MAX_UNIT}}?)\\1+$`, 'su');
const DOUBLED = /^(.+)\1$/su;
const AROUND_LETTERS = /^\P{L}+|\P{L}+$/gu;

/** Reports whether a text is one character, or a group of up to four, again and again: `aaaaaaaa`, `abcabcabc`. */
export const isRepetition = (folded: string): boolean => REPEATED.test(folded);

/** Reports whether a text is nothing but runs along the alphabet, the digits or a keyboard: `abcdefgh`, `qwerty123`. */
export function isSequence(folded: string): boolean {
  let rest = folded;
  while (rest !== '') {
    const length = longestRun(rest);
    if (length < LEAST_RUN) return false;
    rest = rest.slice(length);
  }
  return true;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const row of ROWS) {
    const start = row.indexOf(text.charAt(0));
    let length = 0;
    while (start >= 0 && start + length < row.length && row[start + length] === text[length]) length += 1;
    longest = Math.max(longest, length);
  }
  return longest;
}

/**
 * Returns the texts that a password says in other clothes: itself, its half when it is the same text twice, and either
 * without the digits and punctuation around it.
 */
export function plainFormsOf(folded: string): string[] {
  const half = DOUBLED.exec(folded)?.[1];
  const whole = half === undefined ? [folded] : [folded, half];
  return [...whole, ...whole.flatMap((text) => withoutAdditions(text) ?? [])];
}

/** Returns the word of a text that is one with digits or punctuation around it; undefined where these are most of it. */
export function withoutAdditions(text: string): string | undefined {
  const word = text.replace(AROUND_LETTERS, '');
  const added = text.length - word.length;
  return word.length < LEAST_RUN || added > Math.max(MAX_ADDED, word.length) ? undefined : word;
}
