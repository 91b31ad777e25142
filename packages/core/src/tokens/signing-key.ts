import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import { pemBlocks, pemOf, weaknessesOf } from '../kernel/key-pem.js';

/** Public JSON Web Key of one RSA key (RFC 7517), with its use. */
export interface PublicJwk {
  kty: 'RSA';
  n: string;
  e: string;
  kid: string;
  use: 'sig';
  alg: 'RS256';
}

/** An RSA key: the public half, and the private half if the process has it. */
export interface RsaKey {
  /** RFC 7638 thumbprint. */
  kid: string;
  publicKey: KeyObject;
  privateKey: KeyObject | undefined;
  jwk: PublicJwk;
}

/**
 * Reads one RSA key from PEM: PKCS#8 or PKCS#1 private, or a public key.
 * @throws TypeError unless the PEM is an RSA key of at least 2048 bits.
 * @example
 * ```ts
 * const { privateKey, jwk } = await readRsaKey(await generateSigningKey());
 * privateKey?.type; // → 'private'
 * await readRsaKey(publicPemOf(jwk)).then((key) => key.privateKey); // → undefined
 * ```
 */
export async function readRsaKey(pem: string): Promise<RsaKey> {
  const privateKey = pem.includes('PRIVATE KEY') ? createPrivateKey(pem) : undefined;
  const publicKey = createPublicKey(privateKey ?? pem);
  assertStrongRsa(publicKey);
  const { n, e } = await exportJWK(publicKey);
  if (n === undefined || e === undefined) throw new TypeError('the RSA key has no modulus or exponent');
  const kid = await calculateJwkThumbprint({ kty: 'RSA', n, e });
  return { kid, publicKey, privateKey, jwk: { kty: 'RSA', n, e, kid, use: 'sig', alg: 'RS256' } };
}

/**
 * Reads every key of a concatenated PEM text, in its order.
 * @example
 * ```ts
 * const pems = [await generateSigningKey(), await generateSigningKey()];
 * (await readRsaKeys(pems.join('\n'))).length; // → 2
 * ```
 */
export async function readRsaKeys(pems: string): Promise<RsaKey[]> {
  return Promise.all(pemBlocks(pems).map((pem) => readRsaKey(pem)));
}

/**
 * Returns a published key as PEM (SPKI).
 * @example
 * ```ts
 * const { jwk } = await readRsaKey(await generateSigningKey());
 * publicPemOf(jwk).startsWith('-----BEGIN PUBLIC KEY-----'); // → true
 * ```
 */
export const publicPemOf = (jwk: PublicJwk): string =>
  pemOf(createPublicKey({ key: { ...jwk }, format: 'jwk' }));

function assertStrongRsa(key: KeyObject): void {
  const faults = weaknessesOf(key);
  if (faults.length > 0) {
    throw new TypeError(`an RSA key of at least 2048 bits is needed, this is ${faults.join(', ')}`);
  }
}
