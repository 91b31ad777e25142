import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvitationClient } from '../support/invitation-client.js';
import { signedInUser } from '../support/minted-token.js';
import { OperatorClient } from '../support/operator-client.js';
import { PASSKEY_ENV } from '../support/passkey-client.js';
import { CHOSEN, linksOf, registerUser, registerWithLink } from '../support/registration-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { WAYS_IN } from '../support/ways-to-sign-in.js';

const OK = { status: 200, data: { status: 'ok' } };
const UNVERIFIED = { status: 403, code: 'email_unverified' };
const UNCONFIRMED = { status: 409, code: 'conflict' };
const APPROVE = { approvalStatus: 'APPROVED', isActive: true };
const TEAM = 'team@example.com';
const ENV = { EMAIL_VERIFICATION: 'required', APPROVAL_NOTICE_TO: TEAM };

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    env: { ...PASSKEY_ENV, ...ENV },
  });
});
afterAll(() => service.stop());

const verify = (body: object, on = service) => on.api('POST', '/auth/email/verify', { body });
const login = (email: string, password = CHOSEN, on = service) =>
  on.api('POST', '/auth/login', { body: { email, password } });
const patch = (id: string, body: object) => service.machine('PATCH', `/internal/admin/users/${id}`, { body });
const unprove = (email: string) =>
  service.sql('UPDATE users SET email_verified_at = NULL WHERE email = $1', [email]);

describe('sign-ins where the proof of the mailbox is required', () => {
  it.each(['password', 'passkey', 'handoff'] as const)(
    'a sign-in by %s of a user with an unproved mailbox is refused, and leaves no session',
    async (name) => {
      const { email, send } = await WAYS_IN[name](service);
      await unprove(email);
      const sessions = () =>
        service.sql(`SELECT s.id FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1`, [
          email,
        ]);
      const before = await sessions();
      const answer = await send();
      expect([answer.status, answer.code], answer.text).toEqual([403, 'email_unverified']);
      expect(await sessions()).toEqual(before);
    },
  );

  it('a session is not minted for a user with an unproved mailbox', async () => {
    const { id } = await service.createUser({ emailVerified: false });
    const minted = await service.machine('POST', `/internal/admin/users/${id}/sessions`);
    expect(minted).toMatchObject(UNVERIFIED);
  });

  it('an invitation of a user with an unproved mailbox needs their access token, and then proves the mailbox', async () => {
    const invitations = await InvitationClient.open(service);
    const user = await signedInUser(service);
    await unprove(user.email);
    const { token } = await invitations.invite({ email: user.email });
    expect(await invitations.accept({ token })).toMatchObject(UNVERIFIED);
    const accepted = await service.api('POST', '/auth/invitations/accept', {
      token: user.token,
      body: { token },
    });
    expect(accepted.status, accepted.text).toBe(200);
    expect((await login(user.email, user.password)).status).toBe(200);
  });

  it('the state shows only after the right password', async () => {
    const { email, password } = await service.createUser({ emailVerified: false });
    expect(await login(email, 'a wrong password')).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(await login(email, password)).toMatchObject(UNVERIFIED);
    const [row] = await service.sql(
      `SELECT outcome, details FROM auth_audit_logs a JOIN users u ON u.id = a.subject_user_id
       WHERE u.email = $1 ORDER BY a.occurred_at DESC, a.id DESC LIMIT 1`,
      [email],
    );
    expect(row).toMatchObject({ outcome: 'denied', details: { reason: 'email_unverified' } });
  });

  it.each([
    ['registration_rejected', { approval: 'REJECTED' }],
    ['account_inactive', { active: false }],
    ['email_unverified', { approval: 'PENDING' }],
  ] as const)('the code is %s for a user with an unproved mailbox who is %o', async (code, state) => {
    const { email, password } = await service.createUser({ ...state, emailVerified: false });
    expect(await login(email, password)).toMatchObject({ status: 403, code });
  });

  it('a session that exists goes on when the proof becomes required', async () => {
    const user = await signedInUser(service);
    await unprove(user.email);
    expect((await service.api('GET', '/auth/me', { token: user.token })).status).toBe(200);
    const { refreshToken } = user;
    expect((await service.api('POST', '/auth/refresh', { body: { refreshToken } })).status).toBe(200);
  });

  it('a reset by mail proves the mailbox and so enables the sign-in', async () => {
    const { email } = await service.createUser({ emailVerified: false });
    await service.api('POST', '/auth/password-reset/request', { body: { email } });
    const { token } = await service.mailTo(email);
    const body = { token, newPassword: CHOSEN };
    expect(await service.api('POST', '/auth/password-reset/confirm', { body })).toMatchObject(OK);
    expect((await login(email)).status).toBe(200);
  });
});

describe('registrations where the proof of the mailbox is required', () => {
  it('a registration is approved by staff only after the proof', async () => {
    const { id, email, token } = await registerWithLink(service);
    const staff = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    const asStaff = () =>
      service.api('PATCH', `/internal/users/${id}`, { token: staff.token, body: APPROVE });
    for (const answer of [await asStaff(), await patch(id, APPROVE)])
      expect(answer).toMatchObject(UNCONFIRMED);
    const run = await new OperatorClient(service, ENV).run(['users', 'approve', email]);
    expect(run.code).not.toBe(0);
    expect(run.stderr).toContain('has not been confirmed');
    expect(await login(email)).toMatchObject(UNVERIFIED);
    expect(await verify({ token })).toMatchObject(OK);
    expect(await login(email)).toMatchObject({ status: 403, code: 'pending_approval' });
    expect((await asStaff()).status).toBe(200);
    expect((await login(email)).status).toBe(200);
  });

  it('a machine that sets another address vouches for it, and may approve in the same request', async () => {
    const { id, email } = await registerUser(service);
    const answer = await patch(id, { ...APPROVE, email: `moved-${email}` });
    expect(answer.status, answer.text).toBe(200);
    expect((await login(`moved-${email}`)).status).toBe(200);
  });

  it('approvers are notified when they can decide, and of those registrations alone', async () => {
    const fresh = await serviceForThisTest({ env: ENV });
    const notices = () => fresh.sql(`SELECT 1 FROM mail_outbox WHERE kind = 'approval_waiting'`);
    await registerUser(fresh);
    const { token } = await registerWithLink(fresh);
    expect(await notices()).toEqual([]);
    expect(await verify({ token }, fresh)).toMatchObject(OK);
    expect((await fresh.mailTo(TEAM)).subject).toBe('1 registration waits for approval on Latchkey');
  });

  it('a registration that needs no approval is pending until the proof, which needs a password', async () => {
    const open = await serviceForThisTest({
      env: { EMAIL_VERIFICATION: 'required', REGISTRATION_APPROVAL: 'none' },
    });
    const { email } = await registerUser(open);
    const { token, rejection } = linksOf(await open.mailTo(email));
    expect(rejection).toBe('');
    expect(await login(email, CHOSEN, open)).toMatchObject(UNVERIFIED);
    const withoutPassword = await verify({ token }, open);
    expect(withoutPassword).toMatchObject({ status: 400, code: 'validation_error' });
    expect(withoutPassword.message).toContain('password: is required');
    expect(await login(email, CHOSEN, open)).toMatchObject(UNVERIFIED);
    expect(await verify({ token }, open)).toMatchObject({ status: 400 });
    const own = 'the password of the owner';
    expect(await verify({ token, password: own }, open)).toMatchObject(OK);
    expect((await login(email, CHOSEN, open)).status).toBe(401);
    expect((await login(email, own, open)).status).toBe(200);
  });
});

describe('latchkey users resend-verification', () => {
  it('an operator sends the link again, without the limit, and is audited', async () => {
    const operators = new OperatorClient(service, ENV);
    const { id, email } = await registerUser(service);
    for (let count = 0; count < 5; count++) {
      const { code, stderr } = await operators.run(['users', 'resend-verification', email]);
      expect(code, stderr).toBe(0);
    }
    const { token } = linksOf(await service.mailTo(email, 6));
    expect(await verify({ token })).toMatchObject(OK);
    expect(await operators.auditOf(id)).toContainEqual(
      expect.objectContaining({ event: 'email_verification_requested', actor: operators.actor }),
    );
    const again = await operators.run(['users', 'resend-verification', email]);
    expect(again.code).not.toBe(0);
    expect(again.stderr).toContain('confirmed already');
  });

  it('a user whose registration was rejected is sent no link', async () => {
    const operators = new OperatorClient(service, ENV);
    const { email } = await service.createUser({ approval: 'REJECTED', emailVerified: false });
    const { code, stderr } = await operators.run(['users', 'resend-verification', email]);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining('rejected') as string]);
  });
});
