import { randomBytes } from 'node:crypto';
import { typedCode } from '../factors/typed-code.js';
import { digestOf } from '../kernel/secret.js';

/** Crockford's base32: without letters that are mistaken for digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 40 bits: five guesses are nothing against them, and the client's verifier is needed as well. */
const CODE_LENGTH = 8;

/** Returns a new code, such as `K7QM-2XWD`. */
export function generateMailedCode(): string {
  // 32 divides 256, so each character is equally likely.
  const text = [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  return `${text.slice(0, CODE_LENGTH / 2)}-${text.slice(CODE_LENGTH / 2)}`;
}

/** Returns the digest of a code as a person types it: in any case, with or without separators, O for 0 and I or L for 1. */
export function digestOfMailedCode(typed: string): Buffer {
  return digestOf(typedCode(typed).toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1'));
}
