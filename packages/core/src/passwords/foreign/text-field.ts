import { randomBytes } from 'node:crypto';

/** A salt or digest as it is written in a hash. */
export interface TextField {
  /** Source of a regular expression, for JavaScript and PostgreSQL. */
  readonly pattern: string;
  /** Returns the bytes that the text stands for, or undefined if it is malformed. */
  read(text: string): Uint8Array | undefined;
  /** Returns the text of random bytes. */
  random(): string;
}

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Characters of the alphabet of `crypt(3)`. Their bytes are those of the text itself. */
export const cryptField = (characters: number): TextField => ({
  pattern: `[./0-9A-Za-z]{${characters}}`,
  read: (text) => Buffer.from(text, 'latin1'),
  random: () =>
    Array.from(randomBytes(characters), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join(''),
});

/** The value of a character of the alphabet of phpass, 0 to 63. */
export const valueOfCharacter = (character: string): number => ALPHABET.indexOf(character);
