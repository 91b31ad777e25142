import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer, ApiOptions } from './api-client.js';
import { signedInUser, type SignedInTestUser } from './minted-token.js';
import type { TestService } from './service.js';
import { insertMembership, type NewTestMembership } from './test-memberships.js';
import type { NewTestUser } from './test-users.js';
import { waitUntil } from './wait-until.js';

type Row = Record<string, unknown>;

export const freshEmail = (): string => `guest-${randomUUID()}@example.com`;

/** The invitation routes in the hands of one company's `ADMIN`, and what the database says of their effect. */
export class InvitationClient {
  readonly service: TestService;
  readonly company: string;
  readonly admin: SignedInTestUser;

  private constructor(service: TestService, company: string, admin: SignedInTestUser) {
    this.service = service;
    this.company = company;
    this.admin = admin;
  }

  static async open(service: TestService): Promise<InvitationClient> {
    const company = randomUUID();
    const admin = await signedInUser(service);
    await insertMembership(service.sql, { userId: admin.id, companyId: company, role: 'ADMIN' });
    return new InvitationClient(service, company, admin);
  }

  /** A signed-in member of the company, defaults to `MEMBER`. */
  async member(place: Partial<NewTestMembership> = {}, wanted?: NewTestUser): Promise<SignedInTestUser> {
    const user = await signedInUser(this.service, wanted);
    await insertMembership(this.service.sql, { userId: user.id, companyId: this.company, ...place });
    return user;
  }

  /** Credentials of a user who acts for a company. */
  as({ token } = this.admin, company = this.company): ApiOptions {
    return { token, headers: { 'x-org': company } };
  }

  create(body: object, options = this.as()): Promise<Answer> {
    return this.service.api('POST', '/auth/invitations', { ...options, body });
  }

  get(id: string, options = this.as()): Promise<Answer> {
    return this.service.api('GET', `/auth/invitations/${id}`, options);
  }

  resend(id: string, options = this.as()): Promise<Answer> {
    return this.service.api('POST', `/auth/invitations/${id}/resend`, options);
  }

  cancel(id: string, options = this.as()): Promise<Answer> {
    return this.service.api('DELETE', `/auth/invitations/${id}`, options);
  }

  preview(token: string): Promise<Answer> {
    return this.service.api('GET', `/auth/invitations/preview?token=${encodeURIComponent(token)}`);
  }

  accept(body: object, token?: string): Promise<Answer> {
    return this.service.api('POST', '/auth/invitations/accept', { body, token });
  }

  /** An invitation whose mail has come, and the token in it. */
  async invite(
    body: { email?: string; [field: string]: unknown } = {},
    options = this.as(),
  ): Promise<{ id: string; email: string; token: string }> {
    const email = body.email ?? freshEmail();
    const invitations = () => this.service.mailsTo(email).filter(({ token }) => token.startsWith('lki_'));
    const before = invitations().length;
    const answer = await this.create({ ...body, email }, options);
    expect(answer.status, answer.text).toBe(201);
    const { token } = await waitUntil(() => invitations()[before], { what: `an invitation of ${email}` });
    if (this.service.smtp) this.service.client.secrets.add(token);
    return { id: answer.data.id, email, token };
  }

  async expire(id: string): Promise<void> {
    await this.service.sql('UPDATE invitations SET expires_at = now() WHERE id = $1', [id]);
  }

  /** The stored states of all invitations of an email, the first first. */
  async statesOf(email: string): Promise<unknown[]> {
    const rows = await this.service.sql('SELECT status FROM invitations WHERE email = $1 ORDER BY id', [
      email,
    ]);
    return rows.map(({ status }) => status);
  }

  usersWith(email: string): Promise<Row[]> {
    return this.service.sql('SELECT * FROM users WHERE email = $1', [email]);
  }

  membershipsOf(email: string): Promise<Row[]> {
    return this.service.sql(
      `SELECT m.role, m.is_active,
         ARRAY(SELECT module_key FROM membership_module_grants WHERE membership_id = m.id ORDER BY 1) AS modules,
         ARRAY(SELECT permission_key FROM membership_permissions WHERE membership_id = m.id ORDER BY 1)
           AS permissions
       FROM company_memberships m JOIN users u ON u.id = m.user_id WHERE u.email = $1`,
      [email],
    );
  }
}
