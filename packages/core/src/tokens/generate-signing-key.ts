import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { pemOf } from '../kernel/key-pem.js';

/** Supported key lengths: below 2048 bits is rejected, above 4096 bits signing takes too long. */
export type SigningKeyBits = 2048 | 3072 | 4096;

/**
 * Generates an RSA key for `JWT_SIGNING_KEY_PEM` and returns it as PKCS#8 PEM.
 * @example
 * ```ts
 * const pem = await generateSigningKey();
 * pem.startsWith('-----BEGIN PRIVATE KEY-----'); // → true
 * ```
 */
export async function generateSigningKey(bits: SigningKeyBits = 2048): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: bits });
  return pemOf(privateKey);
}
