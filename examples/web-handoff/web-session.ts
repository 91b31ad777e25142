import { LatchkeyError, type LatchkeyClient, type Tokens } from './latchkey-client.js';

interface HandoffTokens extends Tokens {
  organizationId: string;
}

/** A user's session in the web app. Its tokens stay on the server; the browser holds a cookie for it. */
export class WebSession {
  /** The company of the hand-off. */
  readonly companyId: string;
  readonly #latchkey: LatchkeyClient;
  #tokens: Tokens;
  #refreshing: Promise<void> | undefined;

  private constructor(latchkey: LatchkeyClient, { organizationId, ...tokens }: HandoffTokens) {
    this.companyId = organizationId;
    this.#latchkey = latchkey;
    this.#tokens = tokens;
  }

  /** Exchanges a code. @throws LatchkeyError `unauthorized` if it is unknown, used or expired. */
  static async fromCode(latchkey: LatchkeyClient, code: string): Promise<WebSession> {
    const body = { code };
    return new WebSession(latchkey, await latchkey.call('POST', '/auth/handoff/exchange', { body }));
  }

  /**
   * Sends a request to Latchkey as this user, refreshing the access token if it is no longer valid.
   * @throws LatchkeyError; `unauthorized` and `session_revoked` mean that the session has ended.
   */
  async get<T>(path: string): Promise<T> {
    const { accessToken } = this.#tokens;
    try {
      return await this.#getWith<T>(accessToken, path);
    } catch (error) {
      if (!(error instanceof LatchkeyError) || error.code !== 'unauthorized') throw error;
      // Unless another request has refreshed since.
      if (accessToken === this.#tokens.accessToken) await this.#refresh();
      return this.#getWith<T>(this.#tokens.accessToken, path);
    }
  }

  /** Signs out. The desktop's session stays active. */
  async end(): Promise<void> {
    await this.#refreshing?.catch(() => undefined);
    const { refreshToken } = this.#tokens;
    await this.#latchkey.call('POST', '/auth/logout', { body: { refreshToken } });
  }

  #getWith<T>(accessToken: string, path: string): Promise<T> {
    return this.#latchkey.call<T>('GET', path, { accessToken, companyId: this.companyId });
  }

  /** Shared by all waiting requests: a refresh token can be used once. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#renewTokens().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #renewTokens(): Promise<void> {
    const { refreshToken } = this.#tokens;
    this.#tokens = await this.#latchkey.call('POST', '/auth/refresh', { body: { refreshToken } });
  }
}
