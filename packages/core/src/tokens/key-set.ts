import type { KeyObject } from 'node:crypto';
import type { PublicKeys } from './published-keys.js';
import { readRsaKey, readRsaKeys, type PublicJwk, type RsaKey } from './signing-key.js';

/** Seconds for which a verifier may cache the key set. A key must be published for at least this long before it signs. */
export const KEY_SET_MAX_AGE = 300;

/** Keys that verify tokens, and the one that signs them. */
export interface TokenKeys extends PublicKeys {
  readonly signingKeyId: string;
  readonly signingKey: KeyObject;
}

/**
 * The keys of this service: one that signs, and others that are published and accepted but never sign. So keys can be
 * rotated without rejecting a valid token.
 * @example
 * ```ts
 * const keys = await KeySet.fromPem(await generateSigningKey());
 * keys.toJwks().keys.map(({ kid }) => kid); // → [keys.signingKeyId]
 * ```
 */
export class KeySet implements TokenKeys {
  readonly #signing: RsaKey;
  readonly #byId: ReadonlyMap<string, RsaKey>;

  private constructor(signing: RsaKey, others: readonly RsaKey[]) {
    this.#signing = signing;
    this.#byId = new Map([...others, signing].map((key) => [key.kid, key]));
  }

  /**
   * @param signingKeyPem RSA private key, at least 2048 bits.
   * @param verificationKeysPem further PEM keys, public or private, concatenated.
   * @throws TypeError if a key is unusable.
   */
  static async fromPem(signingKeyPem: string, verificationKeysPem?: string): Promise<KeySet> {
    const signing = await readRsaKey(signingKeyPem);
    if (!signing.privateKey) throw new TypeError('the signing key must be a private key');
    return new KeySet(signing, verificationKeysPem ? await readRsaKeys(verificationKeysPem) : []);
  }

  get signingKeyId(): string {
    return this.#signing.kid;
  }

  get signingKey(): KeyObject {
    if (!this.#signing.privateKey) throw new TypeError('the signing key must be a private key');
    return this.#signing.privateKey;
  }

  /** All private keys, the signing key first. Secrets derived from an older key are still recognized. */
  get privateKeys(): KeyObject[] {
    const others = [...this.#byId.values()].filter((key) => key.kid !== this.signingKeyId);
    return [this.#signing, ...others].flatMap((key) => (key.privateKey ? [key.privateKey] : []));
  }

  find(keyId: string): KeyObject | undefined {
    return this.#byId.get(keyId)?.publicKey;
  }

  /** Returns the JSON Web Key Set (RFC 7517 section 5), the signing key first. */
  toJwks(): { keys: PublicJwk[] } {
    return toJwks([this.#signing, ...this.#byId.values()]);
  }
}

/**
 * Returns the public key set of these keys, each once, in their order.
 * @example
 * ```ts
 * const key = await readRsaKey(await generateSigningKey());
 * toJwks([key, key]).keys.length; // → 1
 * ```
 */
export function toJwks(keys: readonly RsaKey[]): { keys: PublicJwk[] } {
  return { keys: [...new Map(keys.map(({ kid, jwk }) => [kid, jwk])).values()] };
}
