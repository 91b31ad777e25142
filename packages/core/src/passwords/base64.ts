/** Returns unpadded base64, the encoding of PHC strings. */
export const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replaceAll('=', '');

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Bits of the last character that encode nothing, by the number of characters after the last whole group of four. */
const STRAY_BITS = [0, 0, 4, 2];

/**
 * Returns how many bytes a text of the characters of base64 encodes, without decoding it; undefined where `fromBase64`
 * returns undefined.
 */
export function base64Bytes(text: string): number | undefined {
  const rest = text.length % 4;
  if (rest === 1) return undefined;
  const last = ALPHABET.indexOf(text.charAt(text.length - 1));
  const hasStrayBits = last % 2 ** (STRAY_BITS[rest] ?? 0) !== 0;
  return hasStrayBits ? undefined : Math.floor((text.length * 3) / 4);
}

/** Returns the bytes of unpadded base64, or undefined if its last character has stray bits, which engines reject. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return toBase64(bytes) === text ? bytes : undefined;
}
