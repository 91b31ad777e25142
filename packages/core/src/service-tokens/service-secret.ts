import { digestOf, generateSecret } from '../kernel/secret.js';

/** Identifies the kind of secret to users and secret scanners. */
const PREFIX = 'lks_';

/**
 * Generates a secret for a service client, and the digest to configure in the service.
 * @example
 * ```ts
 * const { secret, hash } = newServiceSecret();
 * secret.startsWith('lks_'); // → true
 * hash.length; // → 64
 * ```
 */
export function newServiceSecret(): { secret: string; hash: string } {
  const secret = generateSecret(PREFIX);
  return { secret, hash: digestOf(secret).toString('hex') };
}
