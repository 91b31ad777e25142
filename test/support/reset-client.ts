import { expect } from 'vitest';
import type { Answer } from './api-client.js';
import type { TestService } from './service.js';
import type { NewTestUser, TestUser } from './test-users.js';
import { waitUntil } from './wait-until.js';

export const NEW_PASSWORD = 'a new horse, a new battery';

/** The two steps of a password reset, and the mail between them. */
export class ResetClient {
  readonly service: TestService;

  constructor(service: TestService) {
    this.service = service;
  }

  request(email: string, fields: { accountType?: string } = {}): Promise<Answer> {
    return this.service.api('POST', '/auth/password-reset/request', { body: { email, ...fields } });
  }

  confirm(token: string, newPassword = NEW_PASSWORD): Promise<Answer> {
    return this.service.api('POST', '/auth/password-reset/confirm', { body: { token, newPassword } });
  }

  /** The token of a fresh mail. Notices of what happened before may come meanwhile. */
  async tokenFor(email: string): Promise<string> {
    const resets = () => this.service.mailsTo(email).filter(({ token }) => token.startsWith('lkp_'));
    const { length: before } = resets();
    const answer = await this.request(email);
    expect(answer.status, answer.text).toBe(200);
    const { token } = await waitUntil(() => resets()[before], { what: `a reset mail to ${email}` });
    if (this.service.smtp) this.service.client.secrets.add(token);
    return token;
  }

  async userWithToken(wanted?: NewTestUser): Promise<TestUser & { token: string }> {
    const user = await this.service.createUser(wanted);
    return { ...user, token: await this.tokenFor(user.email) };
  }

  login(email: string, password: string): Promise<Answer> {
    return this.service.api('POST', '/auth/login', { body: { email, password } });
  }

  async stateOf(userId: string): Promise<Record<string, unknown> | undefined> {
    const [row] = await this.service.sql(
      'SELECT password_hash, token_version, is_active, approval_status FROM users WHERE id = $1',
      [userId],
    );
    return row;
  }

  /** Nothing waits any more, so what has not come by now does not come. */
  async allMailIsHandled(): Promise<void> {
    const waiting = `SELECT 1 FROM mail_outbox WHERE status = 'PENDING'`;
    const isDone = async () => (await this.service.sql(waiting)).length === 0;
    await waitUntil(isDone, { what: 'an outbox in which nothing waits' });
  }
}
