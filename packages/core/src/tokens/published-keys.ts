import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { weaknessesOf } from '../kernel/key-pem.js';
import { TokenFault } from './token-fault.js';

/** Finds public keys by id. */
export interface PublicKeys {
  find(keyId: string): KeyObject | undefined;
}

/** Returns the key with the id of a token. @throws TokenFault if the token has no key id or an unknown one. */
export function keyForToken(keys: PublicKeys, keyId: string | undefined): KeyObject {
  const key = keyId === undefined ? undefined : keys.find(keyId);
  if (!key) throw new TokenFault('key', keyId === undefined ? 'it names no key' : 'it names an unknown key');
  return key;
}

/**
 * The keys of a JSON Web Key Set (RFC 7517 section 5).
 * @example
 * ```ts
 * const { keyIds } = PublishedKeys.fromJwks(auth.keys.toJwks());
 * keyIds; // → [auth.keys.signingKeyId]
 * ```
 */
export class PublishedKeys implements PublicKeys {
  readonly #byId: ReadonlyMap<string, KeyObject>;

  private constructor(byId: ReadonlyMap<string, KeyObject>) {
    this.#byId = byId;
  }

  /** Reads a key set. Ignores keys without an id or unusable for RS256. @throws TypeError if it is no key set. */
  static fromJwks(jwks: unknown): PublishedKeys {
    return new PublishedKeys(
      new Map(
        membersOf(jwks).flatMap((member) => {
          const { kid } = member;
          const key = readKey(member);
          return typeof kid === 'string' && key !== undefined ? [[kid, key] as const] : [];
        }),
      ),
    );
  }

  /** Ids of the keys, in the order of the set. */
  get keyIds(): string[] {
    return [...this.#byId.keys()];
  }

  find(keyId: string): KeyObject | undefined {
    return this.#byId.get(keyId);
  }
}

function membersOf(jwks: unknown): Record<string, unknown>[] {
  const keys: unknown = isObject(jwks) ? jwks.keys : undefined;
  if (!Array.isArray(keys)) throw new TypeError('a key set is an object with a list "keys"');
  return keys.filter(isObject);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function readKey(member: Record<string, unknown>): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: member as JsonWebKey, format: 'jwk' });
    return weaknessesOf(key).length === 0 ? key : undefined;
  } catch {
    return undefined;
  }
}
