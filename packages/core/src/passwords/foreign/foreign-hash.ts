import { bcrypt } from './bcrypt.js';
import type { Derivation } from './derivation.js';
import type { ForeignScheme } from './foreign-scheme.js';
import { pbkdf2 } from './pbkdf2.js';
import { phpass } from './phpass.js';
import { firebaseScrypt, scrypt } from './scrypt.js';

/** A hash of another system, in the form in which it is stored. */
export interface ForeignHash {
  /** Scheme and parameters, without salt and digest. */
  prefix: string;
  /** The salt as it is written. */
  salt: string;
  derivation: Derivation;
  /** The digest of the right password. */
  digest: Uint8Array;
}

const FOREIGN_SCHEMES: readonly ForeignScheme[] = [bcrypt, scrypt, firebaseScrypt, pbkdf2, phpass];

const PATTERNS = FOREIGN_SCHEMES.map((scheme) => {
  const [beforeSalt, beforeDigest] = scheme.separators.map((separator) => separator.replace('$', '\\$'));
  const end = `${beforeSalt}(${scheme.salt.pattern})${beforeDigest}(${scheme.digest.pattern})$`;
  return { scheme, pattern: new RegExp(`^(${scheme.prefix})${end}`) };
});

/**
 * Source of a regular expression for the prefix of a foreign hash. It does not look at what follows, which would make
 * PostgreSQL five times slower.
 */
export const FOREIGN_PREFIX = FOREIGN_SCHEMES.map(({ prefix }) => prefix).join('|');

/** Parses a hash in its stored form. Returns undefined for one that is malformed, unusable or costs too much. */
export function parseForeignHash(text: string): ForeignHash | undefined {
  for (const { scheme, pattern } of PATTERNS) {
    const [, prefix, salt = '', digestText = ''] = pattern.exec(text) ?? [];
    if (prefix === undefined) continue;
    const digest = scheme.digest.read(digestText);
    const derivation = digest && foreignDerivation(scheme, prefix, salt, digest.length);
    return derivation && { prefix, salt, derivation, digest: digest.subarray(0, derivation.digestBytes) };
  }
  return undefined;
}

/** Returns the derivation of a digest with this salt, as it is written; undefined if it is unusable. */
export function foreignDerivation(
  scheme: ForeignScheme,
  prefix: string,
  saltText: string,
  digestBytes: number,
): Derivation | undefined {
  const salt = scheme.salt.read(saltText);
  return salt && scheme.derivation(prefix, salt, digestBytes);
}

/** Returns the scheme of a prefix. */
export const schemeOfPrefix = (prefix: string): ForeignScheme | undefined =>
  FOREIGN_SCHEMES.find((scheme) => new RegExp(`^${scheme.prefix}$`).test(prefix));

/** Returns a hash with this prefix that matches no known password; undefined if it could not be verified. */
export function foreignDecoy(prefix: string): string | undefined {
  const scheme = schemeOfPrefix(prefix);
  if (!scheme) return undefined;
  const [beforeSalt, beforeDigest] = scheme.separators;
  const decoy = `${prefix}${beforeSalt}${scheme.salt.random()}${beforeDigest}${scheme.digest.random()}`;
  return parseForeignHash(decoy) && decoy;
}
