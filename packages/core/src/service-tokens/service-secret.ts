import { digestOf, generateSecret } from '../kernel/secret.js';

/** Names the kind of secret to people and to secret scanners. */
const PREFIX = 'lks_';

/**
 * A fresh secret of a service client, and the digest that is all its service is told.
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
