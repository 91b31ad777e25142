import { expect } from 'vitest';
import type { Answer } from './api-client.js';
import type { TestService } from './service.js';
import { waitUntil } from './wait-until.js';

export const DELETION_ENV = { ACCOUNT_DELETION: 'self', TRUST_PROXY: '1', LOGIN_RATE_LIMIT: '1000000' };

/** Deletes accounts and undoes that, as front ends do it; failures are problem details, which have the reason. */
export class DeletionClient {
  readonly service: TestService;
  #sent = 0;

  constructor(service: TestService) {
    this.service = service;
  }

  request(token: string): Promise<Answer> {
    return this.#send('DELETE', '/auth/me', { token });
  }

  undo(token: string): Promise<Answer> {
    return this.#send('POST', '/auth/me/deletion/undo', { body: { token } });
  }

  sendLink(email: string): Promise<Answer> {
    return this.#send('POST', '/auth/me/deletion/undo/send', { body: { email } });
  }

  signIn({ email, password }: { email: string; password: string }): Promise<Answer> {
    return this.#send('POST', '/auth/login', { body: { email, password } });
  }

  /** The token of a link to an address, the first by default. */
  async tokenTo(email: string, count = 1): Promise<string> {
    const links = () => this.service.mailsTo(email).filter(({ link }) => link.includes('/undo-deletion?'));
    const mail = await waitUntil(() => links()[count - 1], { what: `link ${count} that keeps ${email}` });
    return mail.token;
  }

  /** Requests the deletion. @returns the token that undoes it, and the time of the deletion. */
  async requested(user: { accessToken: string; email: string }, count = 1) {
    const answer = await this.request(user.accessToken);
    expect(answer.status, answer.text).toBe(200);
    return {
      token: await this.tokenTo(user.email, count),
      deleteAt: (answer.data as unknown as { deleteAt: string }).deleteAt,
    };
  }

  /** Lets the seven days pass. */
  async due(userId: string): Promise<void> {
    await this.service.sql(
      `WITH due AS (UPDATE users SET delete_at = now() - interval '1 second' WHERE id = $1 AND delete_at IS NOT NULL
         RETURNING id, delete_at)
       UPDATE deletion_links l SET delete_at = due.delete_at FROM due WHERE l.user_id = due.id`,
      [userId],
    );
  }

  /** Anonymous requests of an address are limited. */
  #send(method: string, path: string, options: { token?: string; body?: object }): Promise<Answer> {
    this.#sent += 1;
    const headers = {
      accept: 'application/problem+json',
      'x-forwarded-for': `203.0.${113 + Math.floor(this.#sent / 250)}.${this.#sent % 250}`,
    };
    return this.service.client.send(method, path, { ...options, headers });
  }
}
