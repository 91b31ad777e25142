import { randomBytes } from 'node:crypto';
import { digestOf } from '../../../kernel/secret.js';
import { typedCode } from '../../typed-code.js';

/** Number of codes in a set. */
const RECOVERY_CODES = 10;

/** Crockford's base32: without letters that are mistaken for digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 15 characters of 5 bits: 75 bits, more than anybody can guess. */
const CODE_LENGTH = 15;
const GROUP_LENGTH = 5;
const CODE_PATTERN = new RegExp(`^[${ALPHABET}]{${CODE_LENGTH}}$`);

/** Returns a new set of codes, such as `7k2m9-x0p4q-v8w1z`. */
export const generateRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, generateCode);

function generateCode(): string {
  // 32 divides 256, so each character is equally likely.
  const text = [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  return (text.match(new RegExp(`.{${GROUP_LENGTH}}`, 'g')) ?? []).join('-');
}

/**
 * Returns the digest of a code as a person types it: as `typedCode` reads it, in any case, O for 0 and I or L for 1. Returns undefined for a text that no code can be.
 */
export function digestOfRecoveryCode(typed: string): Buffer | undefined {
  const code = typedCode(typed).toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return CODE_PATTERN.test(code) ? digestOf(code) : undefined;
}
