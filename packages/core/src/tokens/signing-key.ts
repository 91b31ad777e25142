import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK } from 'jose';

/** What the key set publishes of one RSA key (RFC 7517): the public half and how it is used. */
export interface PublicJwk {
  kty: 'RSA';
  n: string;
  e: string;
  kid: string;
  use: 'sig';
  alg: 'RS256';
}

/** One RSA key: its public half always, the private half when the process holds it. */
export interface RsaKey {
  /** RFC 7638 thumbprint. */
  kid: string;
  publicKey: KeyObject;
  privateKey: KeyObject | undefined;
  jwk: PublicJwk;
}

/** Below this an RSA key is refused (RFC 7518 section 3.3). */
const MINIMUM_BITS = 2048;

const PEM_BLOCK = /-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----/g;

/**
 * Reads one RSA key from PEM: PKCS#8 or PKCS#1 private, or a public key.
 * @throws TypeError when the PEM is no RSA key of at least 2048 bits.
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

/** Reads every key of a concatenated PEM text, in its order. */
export async function readRsaKeys(pems: string): Promise<RsaKey[]> {
  return Promise.all((pems.match(PEM_BLOCK) ?? []).map((pem) => readRsaKey(pem)));
}

function assertStrongRsa(key: KeyObject): void {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa' || bits < MINIMUM_BITS) {
    throw new TypeError(`an RSA key of at least ${MINIMUM_BITS} bits is needed`);
  }
}
