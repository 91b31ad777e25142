import { LatchkeyError, type LatchkeyClient, type Tokens } from './latchkey-client.js';

interface HandoffTokens extends Tokens {
  organizationId: string;
}

/** Somebody's session in the web app. Its tokens stay on the server: the browser holds a cookie that stands for it. */
export class WebSession {
  /** The company that was handed over with the person. */
  readonly companyId: string;
  readonly #latchkey: LatchkeyClient;
  #tokens: Tokens;
  #refreshing: Promise<void> | undefined;

  private constructor(latchkey: LatchkeyClient, { organizationId, ...tokens }: HandoffTokens) {
    this.companyId = organizationId;
    this.#latchkey = latchkey;
    this.#tokens = tokens;
  }

  /** Spends a code. @throws LatchkeyError `unauthorized` for one that is unknown, used or expired. */
  static async fromCode(latchkey: LatchkeyClient, code: string): Promise<WebSession> {
    const body = { code };
    return new WebSession(latchkey, await latchkey.call('POST', '/auth/handoff/exchange', { body }));
  }

  /**
   * Reads from Latchkey as this person, with a new access token when the old one is no longer good.
   * @throws LatchkeyError; `unauthorized` and `session_revoked` mean that the session is over.
   */
  async get<T>(path: string): Promise<T> {
    const { accessToken } = this.#tokens;
    try {
      return await this.#getWith<T>(accessToken, path);
    } catch (error) {
      if (!(error instanceof LatchkeyError) || error.code !== 'unauthorized') throw error;
      // Unless somebody else has done so since.
      if (accessToken === this.#tokens.accessToken) await this.#refresh();
      return this.#getWith<T>(this.#tokens.accessToken, path);
    }
  }

  /** Signs out. The desktop's session is another one and goes on. */
  async end(): Promise<void> {
    await this.#refreshing?.catch(() => undefined);
    const { refreshToken } = this.#tokens;
    await this.#latchkey.call('POST', '/auth/logout', { body: { refreshToken } });
  }

  #getWith<T>(accessToken: string, path: string): Promise<T> {
    return this.#latchkey.call<T>('GET', path, { accessToken, companyId: this.companyId });
  }

  /** Once for all requests that wait for it: a refresh token is good for one refresh. */
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
