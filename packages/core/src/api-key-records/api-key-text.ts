import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Identifies API keys to people and to secret scanners. */
const PREFIX = 'lkk_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = DIGITS.length;
/** 43 digits of base 62 hold 256 bits. */
const SECRET_DIGITS = 43;
/** 6 digits hold the 32 bits of the checksum. */
const CHECKSUM_DIGITS = 6;
const HINT_LENGTH = 4;

const FORM = /^lkk_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/**
 * Generates an API key: `lkk_`, 256 random bits and a CRC-32 checksum of them, in base 62.
 * @example
 * ```ts
 * isApiKeyText(newApiKeyText()); // → true
 * ```
 */
export function newApiKeyText(): string {
  const secret = inBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_DIGITS);
  return `${PREFIX}${secret}${checksumOf(secret)}`;
}

/**
 * Returns whether a credential is named as an API key: the rest of it may be wrong.
 * @example
 * ```ts
 * isNamedApiKey('lkk_4fT9'); // → true
 * isNamedApiKey('eyJhbGciOiJSUzI1NiIs'); // → false
 * ```
 */
export const isNamedApiKey = (text: string): boolean => text.startsWith(PREFIX);

/** Returns whether a text has the form of an API key, with the right checksum. */
export function isApiKeyText(text: string): boolean {
  const [, secret, checksum] = FORM.exec(text) ?? [];
  return secret !== undefined && checksum === checksumOf(secret);
}

/** Returns the last characters, by which people tell their keys apart. */
export const hintOf = (key: string): string => key.slice(-HINT_LENGTH);

/** Computed for each request with a key, so without big integers. */
function checksumOf(secret: string): string {
  let text = '';
  for (let rest = crc32(secret); text.length < CHECKSUM_DIGITS; rest = Math.floor(rest / BASE)) {
    text = (DIGITS[rest % BASE] ?? '') + text;
  }
  return text;
}

function inBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = (DIGITS[Number(rest % 62n)] ?? '') + text;
  return text;
}
