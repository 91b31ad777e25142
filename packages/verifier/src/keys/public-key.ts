import { base64url, importJWK, type CryptoKey, type JWK } from 'jose';
import { isObject } from '../json.js';

/** RFC 7518 section 3.3: RS256 keys have at least 2048 bits. */
const LEAST_BYTES = 256;
/** FIPS 186-5 section 5.1: the public exponent is odd and above 65536. With 1, anyone could sign. */
const LEAST_EXPONENT = 65_537;

/** A key of a key set, with the text it was read from. */
export interface PublishedKey {
  id: string;
  text: string;
  key: CryptoKey;
}

/** Returns the members of a key set (RFC 7517 section 5). @throws TypeError if it is none. */
export function membersOf(jwks: unknown): Record<string, unknown>[] {
  const keys = isObject(jwks) ? jwks.keys : undefined;
  if (!Array.isArray(keys)) throw new TypeError('the key set is no object with a list "keys"');
  return keys.filter(isObject);
}

/** Reads a member of a key set. Returns undefined without an id, and for a key that is unfit for RS256. */
export async function readKey(member: Record<string, unknown>): Promise<PublishedKey | undefined> {
  const { kid, kty, n, e } = member;
  if (typeof kid !== 'string' || kty !== 'RSA' || typeof n !== 'string' || typeof e !== 'string')
    return undefined;
  try {
    if (!isStrong(base64url.decode(n), base64url.decode(e))) return undefined;
    const jwk: JWK = { kty, n, e };
    return { id: kid, text: `${n}.${e}`, key: (await importJWK(jwk, 'RS256')) as CryptoKey };
  } catch {
    return undefined;
  }
}

function isStrong(modulus: Uint8Array, exponent: Uint8Array): boolean {
  const value = exponent.reduce((sum, byte) => sum * 256 + byte, 0);
  const hasLength =
    modulus.length > LEAST_BYTES || (modulus.length === LEAST_BYTES && (modulus[0] ?? 0) >= 128);
  return hasLength && value >= LEAST_EXPONENT && value % 2 === 1;
}
