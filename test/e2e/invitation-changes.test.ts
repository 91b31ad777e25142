import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvitationClient } from '../support/invitation-client.js';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { insertMembership } from '../support/test-memberships.js';
import { PASSWORD } from '../support/test-users.js';
import { waitUntil } from '../support/wait-until.js';

const BAD_INPUT = { status: 400, code: 'validation_error' };
const NOT_FOUND = { status: 404, code: 'not_found' };
const CONFLICT = { status: 409, code: 'conflict' };
const OTHER_COMPANY = randomUUID();

let service: TestService;
let testClient: InvitationClient;
let otherAdmin: SignedInTestUser;
beforeAll(async () => {
  service = await startTestService({ smtp: true });
  testClient = await InvitationClient.open(service);
  otherAdmin = await testClient.member({ role: 'ADMIN', companyId: OTHER_COMPANY });
});
afterAll(() => service.stop());

describe('sending anew', () => {
  it('sending anew replaces the token and extends the time', async () => {
    const { id, email, token } = await testClient.invite();
    await service.sql(
      `UPDATE invitations SET expires_at = now() + interval '1 hour', last_sent_at = now() - interval '1 day'
       WHERE id = $1`,
      [id],
    );
    const before = (await testClient.get(id)).data;
    const answer = await testClient.resend(id);
    expect(answer).toMatchObject({ status: 200, data: { id, status: 'PENDING' } });
    expect(String(answer.data.expiresAt) > String(before.expiresAt)).toBe(true);
    expect(String(answer.data.lastSentAt) > String(before.lastSentAt)).toBe(true);
    expect(await testClient.preview(token)).toMatchObject(NOT_FOUND);
    expect(await testClient.accept({ token, password: PASSWORD })).toMatchObject(NOT_FOUND);
    const { token: newToken } = await service.mailTo(email, 2);
    expect(newToken).not.toBe(token);
    expect((await testClient.accept({ token: newToken, password: PASSWORD })).status).toBe(200);
  });

  it('sending anew opens an expired one again, unless a newer one is open', async () => {
    const { id, email } = await testClient.invite();
    await testClient.expire(id);
    expect(await testClient.resend(id)).toMatchObject({ status: 200, data: { status: 'PENDING' } });
    await testClient.expire(id);
    await testClient.invite({ email });
    expect(await testClient.resend(id)).toMatchObject(CONFLICT);
    expect(await testClient.statesOf(email)).toEqual(['EXPIRED', 'PENDING']);
  });

  it('sending anew is refused when the email has become a member otherwise', async () => {
    const guest = await signedInUser(service);
    const { id } = await testClient.invite({ email: guest.email });
    await insertMembership(service.sql, { userId: guest.id, companyId: testClient.company });
    expect(await testClient.resend(id)).toMatchObject(CONFLICT);
  });
});

describe('cancelling', () => {
  it('cancelling closes a pending or an expired invitation, once', async () => {
    for (const isExpired of [false, true]) {
      const { id, token } = await testClient.invite();
      if (isExpired) await testClient.expire(id);
      const answer = await testClient.cancel(id);
      expect(answer).toMatchObject({ status: 200, data: { id, status: 'CANCELLED' } });
      expect(answer.data.cancelledAt).toBeTypeOf('string');
      expect(await testClient.accept({ token, password: PASSWORD })).toMatchObject(CONFLICT);
      expect(await testClient.cancel(id)).toMatchObject(CONFLICT);
      expect(await testClient.resend(id)).toMatchObject(CONFLICT);
    }
  });

  it('cancelling does not reach another company', async () => {
    const { id } = await testClient.invite();
    const staff = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    for (const person of [otherAdmin, staff]) {
      expect(await testClient.cancel(id, testClient.as(person, OTHER_COMPANY))).toMatchObject(NOT_FOUND);
      expect(await testClient.resend(id, testClient.as(person, OTHER_COMPANY))).toMatchObject(NOT_FOUND);
    }
    for (const path of [`/auth/invitations/${id}`, `/auth/invitations/${id}/resend`]) {
      const method = path.endsWith('resend') ? 'POST' : 'DELETE';
      expect(await service.api(method, path, { token: testClient.admin.token })).toMatchObject(BAD_INPUT);
    }
    expect((await testClient.get(id)).data).toMatchObject({ status: 'PENDING' });
  });

  it('cancelling stops a mail that is not sent yet', async () => {
    const { id, email } = await testClient.invite();
    await service.sql(
      `INSERT INTO mail_outbox (id, kind, recipient, payload, next_attempt_at)
       VALUES (gen_random_uuid(), 'invitation', $1, $2, now() + interval '1 hour')`,
      [email, JSON.stringify({ invitationId: id, companyId: testClient.company, companyName: null })],
    );
    await testClient.cancel(id);
    await service.sql('UPDATE mail_outbox SET next_attempt_at = now() WHERE recipient = $1', [email]);
    const skipped = `SELECT 1 FROM mail_outbox WHERE recipient = $1 AND status = 'SKIPPED'`;
    await waitUntil(async () => (await service.sql(skipped, [email])).length === 1, {
      what: 'a skipped mail',
    });
    expect(service.mailsTo(email)).toHaveLength(1);
  });
});
