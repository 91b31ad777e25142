import { randomBytes } from 'node:crypto';
import { fromBase64, toBase64 } from '../base64.js';

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

/** Unpadded base64 of `least` to `most` bytes. */
export const base64Field = (least: number, most: number, usual: number): TextField => ({
  pattern: '[A-Za-z0-9+/]+',
  read(text) {
    const bytes = fromBase64(text);
    return bytes && bytes.length >= least && bytes.length <= most ? bytes : undefined;
  },
  random: () => toBase64(randomBytes(usual)),
});

/** Characters of the alphabet of `crypt(3)`. Their bytes are those of the text itself. */
export const cryptField = (characters: number): TextField => ({
  pattern: `[./0-9A-Za-z]{${characters}}`,
  read: (text) => Buffer.from(text, 'latin1'),
  random: () =>
    Array.from(randomBytes(characters), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join(''),
});

/** The value of a character of the alphabet of phpass, 0 to 63. */
export const valueOfCharacter = (character: string): number => ALPHABET.indexOf(character);
