import assert from 'node:assert/strict';
import { clientAddress } from './sign-in-requests.js';

export interface LatchkeyTokens {
  accessToken: string;
  refreshToken: string;
}

/** A running Latchkey service with users who share one password. */
export class Latchkey {
  readonly url: string;
  readonly pid: number;
  readonly #password: string;

  constructor(service: { url: string; pid: number }, password: string) {
    this.url = service.url;
    this.pid = service.pid;
    this.#password = password;
  }

  async signIn(email: string): Promise<LatchkeyTokens> {
    return this.#tokens(await this.#signIn(email, this.#password));
  }

  /** @throws AssertionError unless the token's session is that of the user. */
  async assertSession(email: string, accessToken: string): Promise<void> {
    const reply = await this.#me(accessToken);
    const { data } = (await reply.json()) as { data?: { email?: string } };
    assert.equal(data?.email, email, 'Latchkey reads another session than that of the user');
  }

  /** Verifies that passwords, rotation and the end of sessions are checked. @throws AssertionError */
  async assertWorks(email: string): Promise<void> {
    const refused = await this.#signIn(email, `${this.#password}!`);
    assert.equal(refused.status, 401, 'Latchkey refuses a wrong password');
    await this.#assertRotates(await this.signIn(email));
    const tokens = await this.signIn(email);
    await this.assertSession(email, tokens.accessToken);
    await this.signOut(tokens);
    assert.equal((await this.#me(tokens.accessToken)).status, 401, 'Latchkey refuses a revoked session');
  }

  async signOut({ refreshToken }: LatchkeyTokens): Promise<void> {
    const reply = await this.#post('/auth/logout', { refreshToken });
    assert.equal(reply.status, 200, 'Latchkey ends a session');
  }

  /** The token before the last one is still accepted for a while, in case its response was lost; the one before it is not. */
  async #assertRotates(tokens: LatchkeyTokens): Promise<void> {
    const second = await this.#tokens(await this.#refresh(tokens.refreshToken));
    const third = await this.#tokens(await this.#refresh(second.refreshToken));
    const different = new Set([tokens.refreshToken, second.refreshToken, third.refreshToken]);
    assert.equal(different.size, 3, 'Latchkey rotates the refresh token');
    const reused = await this.#refresh(tokens.refreshToken);
    assert.equal(reused.status, 401, 'Latchkey refuses a used refresh token');
  }

  async #tokens(reply: Response): Promise<LatchkeyTokens> {
    assert.equal(reply.status, 200, `Latchkey issues tokens: ${await reply.clone().text()}`);
    return ((await reply.json()) as { data: LatchkeyTokens }).data;
  }

  #signIn(email: string, password: string): Promise<Response> {
    return this.#post('/auth/login', { email, password });
  }

  #refresh(refreshToken: string): Promise<Response> {
    return this.#post('/auth/refresh', { refreshToken });
  }

  #me(accessToken: string): Promise<Response> {
    return fetch(`${this.url}/auth/me`, { headers: { authorization: `Bearer ${accessToken}` } });
  }

  #post(path: string, body: unknown): Promise<Response> {
    return fetch(this.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': clientAddress(0) },
      body: JSON.stringify(body),
    });
  }
}
