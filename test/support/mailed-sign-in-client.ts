import { expect } from 'vitest';
import type { Answer } from './api-client.js';
import { newVerifier, s256Of } from './external-client.js';
import type { TestService } from './service.js';
import type { NewTestUser, TestUser } from './test-users.js';
import { waitUntil } from './wait-until.js';

export const MAILED_ENV = { MAILED_SIGN_IN: 'on', TRUST_PROXY: '1', LOGIN_RATE_LIMIT: '1000000' };

/** A sign-in that was asked for, with what its mail brought. */
interface MailedSecrets {
  verifier: string;
  token: string;
  code: string;
}

/** Signs in by mail, as front ends do it. */
export class MailedSignInClient {
  readonly service: TestService;
  #asked = 0;

  constructor(service: TestService) {
    this.service = service;
  }

  request(email: string, verifier = newVerifier()): Promise<Answer> {
    return this.service.api('POST', '/auth/login/mail', {
      body: { email, challenge: s256Of(verifier) },
      // Anonymous requests of an address are limited.
      headers: { 'x-forwarded-for': `198.51.100.${++this.#asked % 250}` },
    });
  }

  /** Finishes with problem details, which have the reason. */
  finish(body: Record<string, unknown>, headers: Record<string, string> = {}): Promise<Answer> {
    return this.service.client.send('POST', '/auth/login/mail/finish', {
      body,
      headers: { accept: 'application/problem+json', ...headers },
    });
  }

  /** The secrets of a fresh mail. */
  async asked(email: string, verifier = newVerifier()): Promise<MailedSecrets> {
    const links = () =>
      this.service.mailsTo(email).flatMap(({ link }) => (link.includes('by=mail') ? [link] : []));
    const { length: before } = links();
    const answer = await this.request(email, verifier);
    expect(answer.status, answer.text).toBe(200);
    const link = await waitUntil(() => links()[before], { what: `a mail that signs in ${email}` });
    const url = new URL(link);
    const token = url.searchParams.get('token') ?? '';
    // The development inbox logs its links.
    if (this.service.smtp) this.service.client.secrets.add(token);
    return { verifier, token, code: url.hash.slice(1) };
  }

  async userWithMail(wanted?: NewTestUser): Promise<TestUser & MailedSecrets> {
    const user = await this.service.createUser(wanted);
    return { ...user, ...(await this.asked(user.email)) };
  }

  /** Nothing waits any more, so what has not come by now does not come. */
  async allMailIsHandled(): Promise<void> {
    const waiting = `SELECT 1 FROM mail_outbox WHERE status = 'PENDING'`;
    await waitUntil(async () => (await this.service.sql(waiting)).length === 0, {
      what: 'an outbox in which nothing waits',
    });
  }

  async sessionsOf(userId: string): Promise<number> {
    const rows = await this.service.sql('SELECT 1 FROM sessions WHERE user_id = $1', [userId]);
    return rows.length;
  }
}
