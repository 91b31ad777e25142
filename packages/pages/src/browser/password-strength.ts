/** The strength of a password, from 1 to 4, and why it is weak. */
export interface PasswordStrength {
  level: 1 | 2 | 3 | 4;
  weakness?: 'too_short' | 'too_common' | 'like_email';
}

/** Words that the most common passwords are made of. */
const WORDS = new Set(
  (
    'password passwort passw0rd p@ssword p@ssw0rd welcome willkommen letmein login master admin administrator hello hallo ' +
    'secret geheim iloveyou ichliebedich summer sommer winter spring herbst autumn monday montag football fussball baseball ' +
    'dragon monkey princess sunshine shadow superman batman pokemon starwars freedom whatever trustno test testing changeme ' +
    'default access michael schatz berlin'
  ).split(' '),
);

const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
].flatMap((row) => [row, Array.from(row).reverse().join('')]);

/**
 * Estimates the strength of a password that is not empty. A guide while typing; the service decides, and knows more
 * common passwords.
 */
export function strengthOf(
  password: string,
  around: {
    minLength: number;
    email: string;
    /** The name of the product. */
    brand: string;
  },
): PasswordStrength {
  const characters = Array.from(password.normalize('NFKC'));
  if (characters.length < around.minLength) return { level: 1, weakness: 'too_short' };
  const plain = password.normalize('NFKC').toLowerCase();
  const bare = plain.replace(/^\P{L}+|\P{L}+$/gu, '');
  const local = around.email.toLowerCase().split('@')[0] ?? '';
  if (local !== '' && [plain, bare].some((text) => text === local || text === around.email.toLowerCase()))
    return { level: 1, weakness: 'like_email' };
  if (isCommon(plain, bare, around.brand.toLowerCase())) return { level: 1, weakness: 'too_common' };
  return { level: levelOf(bitsOf(characters)) };
}

const isCommon = (plain: string, bare: string, brand: string): boolean =>
  /^(.{1,4}?)\1+$/su.test(plain) ||
  isSequence(plain) ||
  [bare, halfOf(bare)].some((word) => WORDS.has(word) || word === brand);

/** Returns the first half of a text that is the same text twice. */
const halfOf = (text: string): string => /^(.+)\1$/su.exec(text)?.[1] ?? text;

/** Reports whether a text consists of runs of the alphabet, the digits or a keyboard row. */
function isSequence(text: string): boolean {
  let rest = text;
  while (rest !== '') {
    let length = rest.length;
    while (length >= 3 && !ROWS.some((row) => row.includes(rest.slice(0, length)))) length -= 1;
    if (length < 3) return false;
    rest = rest.slice(length);
  }
  return true;
}

/** Returns an upper limit of the entropy: repeated characters count little. */
function bitsOf(characters: readonly string[]): number {
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u];
  const pool = kinds.filter((kind) => characters.some((each) => kind.test(each))).length * 24;
  const distinct = new Set(characters).size;
  return Math.min(characters.length, distinct * 1.5) * Math.log2(Math.max(pool, 10));
}

function levelOf(bits: number): PasswordStrength['level'] {
  if (bits < 30) return 1;
  if (bits < 52) return 2;
  return bits < 70 ? 3 : 4;
}
