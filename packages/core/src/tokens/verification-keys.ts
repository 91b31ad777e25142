import type { KeyObject } from 'node:crypto';
import type { TokenKeys } from './key-set.js';
import { readRsaKeys } from './signing-key.js';

/** Public keys for processes that verify tokens and never sign any. */
export class VerificationKeys implements TokenKeys {
  readonly #byId: ReadonlyMap<string, KeyObject>;

  private constructor(byId: ReadonlyMap<string, KeyObject>) {
    this.#byId = byId;
  }

  /** @param pem concatenated public or private keys. @throws TypeError if one is unusable. */
  static async fromPem(pem: string): Promise<VerificationKeys> {
    const keys = await readRsaKeys(pem);
    return new VerificationKeys(new Map(keys.map(({ kid, publicKey }) => [kid, publicKey])));
  }

  find(keyId: string): KeyObject | undefined {
    return this.#byId.get(keyId);
  }

  get signingKeyId(): string {
    throw new TypeError(NO_KEY);
  }

  get signingKey(): KeyObject {
    throw new TypeError(NO_KEY);
  }
}

const NO_KEY = 'There is no signing key: this process verifies tokens and signs none.';
