import { randomBytes } from 'node:crypto';
import { fromBase64, toBase64 } from '../base64.js';
import type { Derivation } from './derivation.js';
import type { TextField } from './text-field.js';

/** Unpadded base64 of `least` to `most` bytes. */
const base64Field = (least: number, most: number, usual: number): TextField => ({
  pattern: '[A-Za-z0-9+/]+',
  read(text) {
    const bytes = fromBase64(text);
    return bytes && bytes.length >= least && bytes.length <= most ? bytes : undefined;
  },
  random: () => toBase64(randomBytes(usual)),
});

/** A scheme of password hashes that other systems use: how it is written, and how its digest is derived. */
export interface ForeignScheme {
  /** Source of a regular expression for scheme and parameters, for JavaScript and PostgreSQL. It has no groups. */
  readonly prefix: string;
  /** The text between prefix and salt, and between salt and digest. */
  readonly separators: readonly [string, string];
  readonly salt: TextField;
  readonly digest: TextField;
  /** Returns the derivation, or undefined if the parameters are unusable or cost too much. */
  derivation(prefix: string, salt: Uint8Array, digestBytes: number): Derivation | undefined;
}

/** Salts and digests of schemes that write base64. Shorter digests would be guessed; longer ones do not occur. */
export const BASE64_FIELDS = {
  separators: ['$', '$'],
  salt: base64Field(1, 256, 16),
  digest: base64Field(16, 256, 32),
} as const satisfies Partial<ForeignScheme>;

/** A number in a prefix, without leading zeros. */
export const NUMBER = '[1-9]\\d{0,9}';

/** Returns the numbers in a text, in their order. */
export const numbersIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);
