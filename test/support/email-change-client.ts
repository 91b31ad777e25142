import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer } from './api-client.js';
import type { TestService } from './service.js';
import { waitUntil } from './wait-until.js';

export const freshAddress = (): string => `new-${randomUUID()}@example.com`;

/** The steps of a change of address, and the mails between them. */
export class EmailChangeClient {
  readonly service: TestService;

  constructor(service: TestService) {
    this.service = service;
  }

  request(token: string, newEmail: string): Promise<Answer> {
    return this.service.api('POST', '/auth/email/change', { token, body: { newEmail } });
  }

  confirm(token: string): Promise<Answer> {
    return this.service.api('POST', '/auth/email/change/confirm', { body: { token } });
  }

  undo(token: string): Promise<Answer> {
    return this.service.api('POST', '/auth/email/change/undo', { body: { token } });
  }

  /** The token of the newest link to an address that leads to a page. */
  async tokenTo(email: string, page: '/change-email' | '/undo-email-change', count = 1): Promise<string> {
    const links = () => this.service.mailsTo(email).filter(({ link }) => new RegExp(`${page}\\?`).test(link));
    const mail = await waitUntil(() => links()[count - 1], { what: `link ${count} for ${page} to ${email}` });
    return mail.token;
  }

  /** Requests a change. @returns the token of the mail to the new address. */
  async requested(token: string, newEmail = freshAddress()): Promise<{ newEmail: string; token: string }> {
    const answer = await this.request(token, newEmail);
    expect(answer, answer.text).toMatchObject({ status: 200, data: { status: 'ok' } });
    return { newEmail, token: await this.tokenTo(newEmail, '/change-email') };
  }

  /** Requests and confirms a change. @returns the token of the notice to the former address. */
  async changed(
    user: { accessToken: string; email: string },
    newEmail = freshAddress(),
  ): Promise<{ newEmail: string; undo: string }> {
    const { token } = await this.requested(user.accessToken, newEmail);
    const answer = await this.confirm(token);
    expect(answer, answer.text).toMatchObject({ status: 200, data: { status: 'ok' } });
    return { newEmail, undo: await this.tokenTo(user.email, '/undo-email-change') };
  }

  /** The address of a user. */
  async emailOf(id: string): Promise<unknown> {
    const [row] = await this.service.sql('SELECT email FROM users WHERE id = $1', [id]);
    return row?.email;
  }
}
