/**
 * Returns the bytes of base64url (RFC 4648 section 5, without padding), or undefined for text that is not exactly their encoding.
 * The decoder of Node.js skips characters of no alphabet, accepts the other one and padding, and ignores stray bits, so that many
 * texts would be one value.
 */
export function bytesOfBase64url(text: string): Buffer<ArrayBuffer> | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
