import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Bytes of randomness in every one-time secret: 256 bits. */
const SECRET_BYTES = 32;

/**
 * Returns a new opaque secret, for example `lki_3x…`: 256 bits of randomness, base64url. The prefix names its
 * kind to people and to secret scanners.
 */
export function generateSecret(prefix: string): string {
  return prefix + randomBytes(SECRET_BYTES).toString('base64url');
}

/** Returns the SHA-256 of a high-entropy secret: the only form in which one is stored. */
export function digestOf(secret: string | Buffer): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Compares two digests of equal length in constant time. */
export function digestsEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Returns true if `presented` is one of `accepted`, in a time that depends on the number of accepted secrets only.
 * Digests are compared, so the lengths of the secrets do not show either.
 */
export function matchesAnySecret(presented: string, accepted: readonly string[]): boolean {
  const digest = digestOf(presented);
  let matched = false;
  for (const secret of accepted) {
    matched = timingSafeEqual(digest, digestOf(secret)) || matched;
  }
  return matched;
}
