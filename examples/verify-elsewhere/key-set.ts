import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { Refusal } from './refusal.js';

export interface KeySetOptions {
  url: URL;
  /** Seconds between two fetches of the key set; a withdrawn key is accepted that long. Defaults to 300. */
  refreshSeconds?: number;
  /** Seconds after a fetch during which an unknown key causes no other one. Defaults to 30. */
  cooldownSeconds?: number;
}

const TIMEOUT_MS = 2_000;

/**
 * The issuer's public keys, fetched at the first token and refreshed in the background. Known keys keep working
 * while the issuer is unavailable. Unknown keys are fetched; if that fails, the token cannot be checked (503).
 */
export class KeySet {
  readonly #remote: ReturnType<typeof createRemoteJWKSet>;
  readonly #timer: NodeJS.Timeout;

  constructor({ url, refreshSeconds = 300, cooldownSeconds = 30 }: KeySetOptions) {
    this.#remote = createRemoteJWKSet(url, {
      // By default the library discards its keys after a while, even if it cannot fetch new ones.
      cacheMaxAge: Infinity,
      cooldownDuration: cooldownSeconds * 1000,
      timeoutDuration: TIMEOUT_MS,
    });
    this.#timer = setInterval(() => void this.refresh(), refreshSeconds * 1000).unref();
  }

  /** Returns the key of a token. @throws JWKSNoMatchingKey, Refusal 503 if the key set is unavailable. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    try {
      return await this.#remote(header, token);
    } catch (error) {
      throw isAboutToken(error) ? error : Refusal.unavailable(error);
    }
  };

  /** Fetches the published keys. Returns false and keeps the old ones if the issuer is unavailable. */
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

/** True if the token is at fault. Other failures are the issuer's: unreachable, slow, an error page. */
const isAboutToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
