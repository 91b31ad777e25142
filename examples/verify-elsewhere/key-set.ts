import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { Refusal } from './refusal.js';

export interface KeySetOptions {
  url: URL;
  /** Seconds between two looks at the key set; a withdrawn key is accepted for so long. Default: 300. */
  refreshSeconds?: number;
  /** Seconds after a look in which an unknown key does not cause another one. Default: 30. */
  cooldownSeconds?: number;
}

const TIMEOUT_MILLISECONDS = 2_000;

/**
 * The issuer's public keys, fetched at the first token and renewed in the background. A key that is known goes on
 * working while the issuer is away; one that is not is looked up, and where that fails nobody can tell.
 */
export class KeySet {
  readonly #remote: ReturnType<typeof createRemoteJWKSet>;
  readonly #timer: NodeJS.Timeout;

  constructor({ url, refreshSeconds = 300, cooldownSeconds = 30 }: KeySetOptions) {
    this.#remote = createRemoteJWKSet(url, {
      // Left to itself the library would forget its keys after a while, also when it cannot get new ones.
      cacheMaxAge: Infinity,
      cooldownDuration: cooldownSeconds * 1000,
      timeoutDuration: TIMEOUT_MILLISECONDS,
    });
    this.#timer = setInterval(() => void this.refresh(), refreshSeconds * 1000).unref();
  }

  /** The key that a token names. @throws JWKSNoMatchingKey, Refusal 503 when the key set cannot be had. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    try {
      return await this.#remote(header, token);
    } catch (error) {
      throw isAboutToken(error) ? error : Refusal.cannotTell(error);
    }
  };

  /** Takes the keys that the issuer publishes now; false when it could not be asked and the old ones stay. */
  async refresh(): Promise<boolean> {
    return this.#remote.reload().then(
      () => true,
      () => false,
    );
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

/** All other failures are the issuer's: unreachable, slow, an error page, no key set. */
const isAboutToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
