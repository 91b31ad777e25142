import type { Derivation } from './foreign/derivation.js';
import { FOREIGN_PREFIX, type ForeignHash, foreignDecoy, parseForeignHash } from './foreign/foreign-hash.js';
import { parseWrappedHash, WRAPPED_PREFIX, wrappedDecoy, type WrappedHash } from './foreign/wrapped-hash.js';
import { parsePhcString, randomEnd } from './phc-string.js';

/** An Argon2 hash of a password, in any variant. */
interface Argon2Hash {
  /** Scheme and parameters, without salt and digest. */
  prefix: string;
  argon2: string;
  derivation?: Derivation;
}

/** A stored password hash that can be verified. */
export type StoredHash = Argon2Hash | WrappedHash | (ForeignHash & { argon2?: undefined });

const ARGON2_PREFIX = '\\$argon2(?:id|i|d)\\$v=\\d+\\$m=\\d+,t=\\d+,p=\\d+';

/**
 * Source of a regular expression whose only group is the prefix of a stored hash: scheme and parameters, on which its cost
 * depends. It reads no salt, digest or key. JavaScript and PostgreSQL understand it alike.
 */
export const STORED_HASH_PREFIX = `^(${ARGON2_PREFIX}|${WRAPPED_PREFIX}|${FOREIGN_PREFIX})`;

/** Parses a stored hash. Returns undefined for one that cannot be verified, or costs too much. */
export function parseStoredHash(text: string): StoredHash | undefined {
  if (parsePhcString(text)) return { prefix: text.split('$').slice(0, 4).join('$'), argon2: text };
  return parseWrappedHash(text) ?? parseForeignHash(text);
}

/** Returns a hash with this prefix that matches no known password; undefined if it could not be verified. */
export function decoyWithPrefix(prefix: string): string | undefined {
  const decoy = prefix + randomEnd();
  return parsePhcString(decoy) ? decoy : (wrappedDecoy(prefix) ?? foreignDecoy(prefix));
}
