/** Returns unpadded base64, the encoding of PHC strings. */
export const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replaceAll('=', '');

/** Returns the bytes of unpadded base64, or undefined if its last character has stray bits, which engines reject. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return toBase64(bytes) === text ? bytes : undefined;
}
