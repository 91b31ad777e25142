import assert from 'node:assert/strict';
import type { PeerServer } from './peer-server.js';

interface TokenReply {
  access_token: string;
  refresh_token: string;
}

/** An oidc-provider server with one refresh token for each account. */
export class OidcProvider {
  readonly url: string;
  readonly pid: number;
  /** The last one is for the check, the others are for the load. */
  readonly #refreshTokens: string[];

  private constructor(server: PeerServer, refreshTokens: string[]) {
    this.url = server.url;
    this.pid = server.pid;
    this.#refreshTokens = refreshTokens;
  }

  static async start(
    start: (env: Record<string, string>) => Promise<PeerServer>,
    emails: readonly string[],
  ): Promise<OidcProvider> {
    const server = await start({
      EMAILS: JSON.stringify([...emails, 'checked@example.com']),
    });
    const reply = await fetch(`${server.url}/bench/refresh-tokens`);
    return new OidcProvider(server, (await reply.json()) as string[]);
  }

  get refreshTokens(): string[] {
    return this.#refreshTokens.slice(0, -1);
  }

  /** Verifies that tokens are signed, rotate, and are refused when used again. @throws AssertionError */
  async assertWorks(): Promise<void> {
    const first = this.#refreshTokens.at(-1) ?? '';
    const reply = await this.#refresh(first);
    assert.equal(reply.status, 200, 'oidc-provider refreshes');
    const tokens = (await reply.json()) as TokenReply;
    assert.notEqual(tokens.refresh_token, first, 'oidc-provider rotates the refresh token');
    const header = Buffer.from(tokens.access_token.split('.')[0] ?? '', 'base64url').toString();
    assert.equal((JSON.parse(header) as { alg: string }).alg, 'RS256', 'oidc-provider signs with RS256');
    assert.equal((await this.#refresh(first)).status, 400, 'oidc-provider refuses a used refresh token');
  }

  #refresh(token: string): Promise<Response> {
    return fetch(`${this.url}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: refreshBody(token),
    });
  }
}

/** Returns the body of a refresh (RFC 6749 section 6) of the server's public client. */
export const refreshBody = (token: string): string =>
  `grant_type=refresh_token&client_id=bench&refresh_token=${token}`;
