import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvitationClient } from '../support/invitation-client.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    env: { REGISTRATION_APPROVAL: 'none', APPROVAL_NOTICE_TO: 'team@example.com' },
  });
});
afterAll(() => service.stop());

const password = 'a long walk home';

describe('a new user without approval', () => {
  const register = (email: string) =>
    service.api('POST', '/auth/register', { body: { email, password, fullName: 'Ann Berg' } });

  it('a new user without approval gets the status "approved", and signs in at once', async () => {
    const email = 'ann@example.com';
    const answer = await register(email);
    expect(answer).toMatchObject({ status: 201, data: { email, status: 'approved' } });
    const { accessToken } = await service.signIn({ email, password });
    const { data } = await service.api('GET', '/auth/me', { token: accessToken });
    expect(data).toMatchObject({ email, roles: [] });
    expect(data).not.toHaveProperty('emailVerifiedAt');
  });

  it('a new user without approval is only mailed the link that proves the mailbox, and no approver is notified', async () => {
    await register('bea@example.com');
    const kinds = await service.sql('SELECT DISTINCT kind FROM mail_outbox');
    expect(kinds).toEqual([{ kind: 'email_verification' }]);
  });

  it('a new user without approval leaves the same row in the audit log, with the outcome of the registration', async () => {
    await register('cid@example.com');
    const rows = await service.sql(
      `SELECT a.outcome, a.details FROM auth_audit_logs a JOIN users u ON u.id = a.subject_user_id
       WHERE a.event = 'registration' AND u.email = 'cid@example.com'`,
    );
    expect(rows).toMatchObject([{ outcome: 'success', details: { approvalStatus: 'APPROVED' } }]);
  });

  it('a new user without approval is refused an address that is taken, as everywhere', async () => {
    await register('dan@example.com');
    expect(await register('dan@example.com')).toMatchObject({ status: 409, code: 'conflict' });
  });

  it('a new user without approval proves no mailbox: an invitation to it is not accepted by its link alone', async () => {
    const email = 'eve@example.com';
    await register(email);
    const invitations = await InvitationClient.open(service);
    const { token } = await invitations.invite({ email });
    expect(await invitations.accept({ token })).toMatchObject({ status: 409, code: 'conflict' });
    const { accessToken } = await service.signIn({ email, password });
    expect((await invitations.accept({ token }, accessToken)).status).toBe(200);
  });

  it('a new user without approval can be rejected later, which ends the sessions and is no answer to the registration', async () => {
    const email = 'fay@example.com';
    await register(email);
    const { accessToken } = await service.signIn({ email, password });
    const [user] = await service.sql('SELECT id FROM users WHERE email = $1', [email]);
    const body = { approvalStatus: 'REJECTED' };
    await service.machine('PATCH', `/internal/admin/users/${String(user?.id)}`, { body });
    expect((await service.api('GET', '/auth/me', { token: accessToken })).code).toBe('session_revoked');
    const mails = await service.sql('SELECT kind FROM mail_outbox WHERE recipient = $1', [email]);
    expect(mails).toEqual([{ kind: 'email_verification' }]);
  });
});
