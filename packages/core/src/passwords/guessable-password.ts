/** Sequences in both directions: the alphabet, the digits, and keyboard rows of several countries. */
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

/** Minimum length of a run. Shorter ones occur in words. */
const MIN_RUN = 3;

/** Maximum length of a repeated unit. A longer unit is checked like a password of its own. */
const MAX_UNIT = 4;

/** Up to this many digits and marks around a word are ignored; more are ignored only if the word is as long. */
const MAX_ADDED = 6;

const REPEATED = new RegExp(`^(.{1,${MAX_UNIT}}?)\\1+$`, 'su');
const DOUBLED = /^(.+)\1$/su;
const AROUND_LETTERS = /^\P{L}+|\P{L}+$/gu;

/** Reports whether a text repeats one character or a group of up to four: `aaaaaaaa`, `abcabcabc`. */
export const isRepetition = (folded: string): boolean => REPEATED.test(folded);

/** Reports whether a text consists only of runs of the alphabet, the digits or a keyboard row: `abcdefgh`, `qwerty123`. */
export function isSequence(folded: string): boolean {
  let rest = folded;
  while (rest !== '') {
    const length = longestRun(rest);
    if (length < MIN_RUN) return false;
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
 * Returns the texts that a password is a variation of: itself, its half if it is the same text twice, and each of these
 * without the digits and punctuation around it.
 */
export function plainFormsOf(folded: string): string[] {
  const half = DOUBLED.exec(folded)?.[1];
  const whole = half === undefined ? [folded] : [folded, half];
  return [...whole, ...whole.flatMap((text) => withoutAdditions(text) ?? [])];
}

/** Returns a text without the digits and punctuation around it, or undefined if these are most of it. */
export function withoutAdditions(text: string): string | undefined {
  const word = text.replace(AROUND_LETTERS, '');
  const added = text.length - word.length;
  return word.length < MIN_RUN || added > Math.max(MAX_ADDED, word.length) ? undefined : word;
}
