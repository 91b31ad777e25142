import { parsePhcString, randomEnd } from '../phc-string.js';
import type { Derivation } from './derivation.js';
import { FOREIGN_PREFIX, foreignDerivation, type ForeignHash, schemeOfPrefix } from './foreign-hash.js';
import { NUMBER } from './foreign-scheme.js';

/**
 * An Argon2id hash of the digest of a foreign hash. It is written
 * `$wrapped$l=<bytes of the digest>$argon2id$v=19$m=…,t=…,p=…<prefix of the foreign hash>$<its salt>$<salt>$<digest>`:
 * everything that derives the foreign digest from a password, and not that digest.
 */
export interface WrappedHash {
  prefix: string;
  derivation: Derivation;
  /** The Argon2id string of the foreign digest in base64. */
  argon2: string;
}

const ARGON2ID = `\\$argon2id\\$v=19\\$m=${NUMBER},t=${NUMBER},p=${NUMBER}`;

/** Source of a regular expression for the prefix of a wrapped hash, with three groups. */
const PREFIX = `\\$wrapped\\$l=(${NUMBER})(${ARGON2ID})(${FOREIGN_PREFIX})`;
/** The same without groups, for JavaScript and PostgreSQL. */
export const WRAPPED_PREFIX = `\\$wrapped\\$l=${NUMBER}${ARGON2ID}(?:${FOREIGN_PREFIX})`;

const PREFIX_PATTERN = new RegExp(`^${PREFIX}$`);
const PATTERN = new RegExp(`^(${WRAPPED_PREFIX})\\$([^$]+)(\\$[^$]+\\$[^$]+)$`);

/** Returns the stored form of an Argon2id string that was made of the digest of a foreign hash. */
export function wrappedForm({ prefix, salt, digest }: ForeignHash, argon2: string): string {
  const segments = argon2.split('$');
  const parameters = segments.slice(0, 4).join('$');
  return `$wrapped$l=${digest.length}${parameters}${prefix}$${salt}$${segments.slice(4).join('$')}`;
}

/** Parses a wrapped hash. Returns undefined for one that is malformed, unusable or costs too much. */
export function parseWrappedHash(text: string): WrappedHash | undefined {
  const [, prefix = '', salt = '', end = ''] = PATTERN.exec(text) ?? [];
  const [, digestBytes, parameters = '', foreignPrefix = ''] = PREFIX_PATTERN.exec(prefix) ?? [];
  const scheme = schemeOfPrefix(foreignPrefix);
  if (!scheme || !new RegExp(`^${scheme.salt.pattern}$`).test(salt)) return undefined;
  const argon2 = parameters + end;
  const derivation = foreignDerivation(scheme, foreignPrefix, salt, Number(digestBytes));
  if (derivation?.digestBytes !== Number(digestBytes) || !parsePhcString(argon2)) return undefined;
  return { prefix, derivation, argon2 };
}

/** Returns a wrapped hash with this prefix that matches no known password; undefined if it could not be verified. */
export function wrappedDecoy(prefix: string): string | undefined {
  const [, , , foreignPrefix = ''] = PREFIX_PATTERN.exec(prefix) ?? [];
  const salt = schemeOfPrefix(foreignPrefix)?.salt.random();
  const decoy = `${prefix}$${salt}${randomEnd()}`;
  return parseWrappedHash(decoy) && decoy;
}
