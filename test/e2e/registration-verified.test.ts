import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '@latchkey/core';
import { signedInUser } from '../support/minted-token.js';
import { operate } from '../support/operations.js';
import { CHOSEN, registerUser, registerWithLink } from '../support/registration-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const OK = { status: 200, data: { status: 'ok' } };
const DEAD = { status: 400, code: 'validation_error' };
const OTHER = 'another long walk home';
const env = { REGISTRATION_APPROVAL: 'verified', APPROVAL_NOTICE_TO: 'team@example.com', TRUST_PROXY: '1' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env });
});
afterAll(() => service.stop());

let addresses = 0;
/** Each from an address of its own: rejected links are limited for each address. */
const verify = (token: string, password = CHOSEN, on = service) => {
  addresses += 1;
  const headers = { 'x-forwarded-for': `10.0.${addresses >> 8}.${addresses & 255}` };
  return on.api('POST', '/auth/email/verify', { body: { token, password }, headers });
};
const login = (email: string, password = CHOSEN) =>
  service.api('POST', '/auth/login', { body: { email, password } });
const patch = (id: string, body: object) => service.machine('PATCH', `/internal/admin/users/${id}`, { body });

const stateOf = async (id: string) => {
  const [row] = await service.sql(
    `SELECT approval_status, is_active, email_verified_at IS NOT NULL AS proved, password_hash
     FROM users WHERE id = $1`,
    [id],
  );
  return row;
};
const WAITS = { approval_status: 'PENDING', is_active: false, proved: false };
const APPROVED = { approval_status: 'APPROVED', is_active: true, proved: true };

const eventsOf = (id: string) =>
  service.sql(
    `SELECT event, outcome, actor, actor_user_id = subject_user_id AS own FROM auth_audit_logs
     WHERE subject_user_id = $1 AND event <> 'login' ORDER BY occurred_at, id`,
    [id],
  );
const byThemself = (event: string) => ({ event, outcome: 'success', actor: 'user', own: true });
const kindsTo = async (email: string) =>
  (await service.sql('SELECT kind FROM mail_outbox WHERE recipient = $1 ORDER BY id', [email])).map(
    ({ kind }) => kind,
  );

describe('a registration that waits for the proof of its mailbox', () => {
  it('an unverified registration is mailed a link that names no user, and no approver is notified', async () => {
    const { id, email } = await registerUser(service);
    const mail = await service.mailTo(email);
    expect(mail.subject).toBe('Confirm your registration with Latchkey');
    expect(mail.link).toMatch(`${service.publicUrl}/verify-email?token=lke_`);
    expect(mail.token).toMatch(/^lke_[\w-]{43}$/);
    expect(mail.text).not.toContain('Ann');
    expect(await service.sql(`SELECT 1 FROM mail_outbox WHERE kind = 'approval_waiting'`)).toEqual([]);
    expect(await login(email)).toMatchObject({ status: 403, code: 'pending_approval' });
    expect(await stateOf(id)).toMatchObject(WAITS);
  });

  it('an unverified registration is refused a second time as everywhere, without another mail', async () => {
    const { email } = await registerWithLink(service);
    const body = { email, password: OTHER, fullName: 'Eve' };
    const again = await service.api('POST', '/auth/register', { body });
    expect(again).toMatchObject({ status: 409, code: 'conflict' });
    expect(await kindsTo(email)).toEqual(['email_verification']);
  });

  it('an unverified registration is not changed by clients that open its link, however often', async () => {
    const { id, email } = await registerWithLink(service);
    const { link } = await service.mailTo(email);
    for (const method of ['GET', 'GET', 'HEAD', 'POST']) await fetch(link, { method });
    expect(await stateOf(id)).toMatchObject(WAITS);
    expect(await eventsOf(id)).toEqual([byThemself('registration')]);
  });

  it('an unverified registration can be approved by staff as before, and the link still proves the mailbox', async () => {
    const { id, email, token } = await registerWithLink(service);
    const staff = await signedInUser(service, { role: 'PLATFORM_MODERATOR' });
    const body = { approvalStatus: 'APPROVED', isActive: true };
    expect((await service.api('PATCH', `/internal/users/${id}`, { token: staff.token, body })).status).toBe(
      200,
    );
    expect((await login(email)).status).toBe(200);
    expect(await verify(token)).toMatchObject(OK);
    expect(await stateOf(id)).toMatchObject(APPROVED);
    const events = (await eventsOf(id)).map(({ event }) => event);
    expect(events).toEqual(['registration', 'user_approved', 'email_verified']);
  });
});

describe('the link with the password chosen at registration', () => {
  it('the link with the password of the registration approves, proves the mailbox and keeps the password, without further mail', async () => {
    const { id, email, token } = await registerWithLink(service);
    const before = await stateOf(id);
    expect(await verify(token)).toMatchObject(OK);
    expect(await stateOf(id)).toEqual({ ...APPROVED, password_hash: before?.password_hash });
    expect((await login(email)).status).toBe(200);
    expect(await eventsOf(id)).toEqual(['registration', 'email_verified', 'user_approved'].map(byThemself));
    expect(await kindsTo(email)).toEqual(['email_verification']);
  });

  it('the link with the password of the registration approves once', async () => {
    const { id, token } = await registerWithLink(service);
    expect(await verify(token)).toMatchObject(OK);
    expect(await verify(token)).toMatchObject(DEAD);
    expect(await verify(token, OTHER)).toMatchObject(DEAD);
    expect((await eventsOf(id)).filter(({ event }) => event === 'email_verified')).toHaveLength(1);
  });

  it('the link with the password of the registration approves once, of fifty at the same time', async () => {
    const { id, token } = await registerWithLink(service);
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () => {
        // The queue has no capacity for so many passwords of one address at once.
        for (;;) {
          const answer = await verify(token);
          if (answer.status !== 503) return answer.status;
        }
      }),
    );
    expect(answers.filter((status) => status === 200)).toHaveLength(1);
    expect(answers.filter((status) => status === 400)).toHaveLength(49);
    expect((await eventsOf(id)).filter(({ event }) => event === 'user_approved')).toHaveLength(1);
  });
});

describe('the link with another password', () => {
  it('the link with another password sets it and approves; that of the registration is invalid', async () => {
    const { id, email, token } = await registerWithLink(service);
    expect(await verify(token, OTHER)).toMatchObject(OK);
    expect(await stateOf(id)).toMatchObject(APPROVED);
    expect((await login(email)).status).toBe(401);
    expect((await login(email, OTHER)).status).toBe(200);
    expect(await eventsOf(id)).toEqual(
      ['registration', 'email_verified', 'user_approved', 'password_changed'].map(byThemself),
    );
    expect(await kindsTo(email)).toEqual(['email_verification', 'password_changed']);
  });

  it('the link with another password remains valid after one that is too weak', async () => {
    const { id, token } = await registerWithLink(service);
    const refused = await verify(token, '7 chars');
    expect(refused).toMatchObject(DEAD);
    expect(refused.message).toContain('password');
    expect(await stateOf(id)).toMatchObject(WAITS);
    expect(await verify(token, OTHER)).toMatchObject(OK);
  });

  it('the link with another password sets exactly one, of ten at the same time', async () => {
    const { email, token } = await registerWithLink(service);
    const passwords = Array.from({ length: 10 }, (_, index) => `password number ${index}`);
    const statuses: number[] = await Promise.all(
      passwords.map(async (password) => {
        for (;;) {
          const { status } = await verify(token, password);
          if (status !== 503) return status;
        }
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const winner = statuses.indexOf(200);
    expect((await login(email, passwords[winner])).status).toBe(200);
    expect((await login(email, passwords[(winner + 1) % 10])).status).toBe(401);
  });

  it('the link with another password ends what a session that staff let in meanwhile has opened', async () => {
    const { id, email, token } = await registerWithLink(service);
    await patch(id, { approvalStatus: 'APPROVED', isActive: true });
    const { accessToken } = await service.signIn({ email, password: CHOSEN });
    expect(await verify(token, OTHER)).toMatchObject(OK);
    expect((await service.api('GET', '/auth/me', { token: accessToken })).code).toBe('session_revoked');
  });
});

describe('invalid links', () => {
  it('a link is invalid when it is unknown or damaged', async () => {
    const { id, token } = await registerWithLink(service);
    for (const bad of [`lke_${'A'.repeat(43)}`, token.slice(0, -1), `${token}x`, token.slice(4)]) {
      expect(await verify(bad)).toMatchObject(DEAD);
    }
    const answer = await service.api('POST', '/auth/email/verify', { body: { token } });
    expect(answer).toMatchObject(DEAD);
    expect(answer.message).toContain('password: is required');
    expect(await stateOf(id)).toMatchObject(WAITS);
  });

  it('a link is invalid after 24 hours', async () => {
    const { id, token } = await registerWithLink(service);
    const [row] = await service.sql(
      `SELECT expires_at BETWEEN now() + interval '1435 minutes' AND now() + interval '24 hours' AS is_a_day
       FROM email_verification_tokens WHERE user_id = $1`,
      [id],
    );
    expect(row).toEqual({ is_a_day: true });
    await service.sql('UPDATE email_verification_tokens SET expires_at = now() WHERE user_id = $1', [id]);
    for (const password of [CHOSEN, OTHER]) expect(await verify(token, password)).toMatchObject(DEAD);
    expect(await stateOf(id)).toMatchObject(WAITS);
  });

  it.each([
    ['rejected', [{ approvalStatus: 'REJECTED' }]],
    ['deactivated before anybody approved', [{ isActive: false }]],
    ['approved and deactivated', [{ approvalStatus: 'APPROVED', isActive: true }, { isActive: false }]],
    [
      'approved, and the approval was taken back',
      [{ approvalStatus: 'APPROVED' }, { approvalStatus: 'PENDING' }],
    ],
    ['given a staff role, which is for staff to let in', [{ globalRole: 'PLATFORM_MODERATOR' }]],
  ])('a link is invalid when the user was %s meanwhile', async (_what, bodies) => {
    const { id, token } = await registerWithLink(service);
    for (const body of bodies) expect((await patch(id, body)).status).toBe(200);
    const before = await stateOf(id);
    for (const password of [CHOSEN, OTHER]) expect(await verify(token, password)).toMatchObject(DEAD);
    expect(await stateOf(id)).toEqual(before);
  });

  it('a link is invalid when the address was changed, or another user set the password', async () => {
    const moved = await registerWithLink(service);
    await patch(moved.id, { email: `moved-${moved.email}` });
    expect(await verify(moved.token)).toMatchObject(DEAD);
    const reset = await registerWithLink(service);
    const operator = { kind: 'operator', name: 'alice' } as const;
    await service.auth.admin.passwords.set(operator, reset.id, { password: OTHER });
    expect(await verify(reset.token, OTHER)).toMatchObject(DEAD);
  });

  it('a link approves nothing when staff approve registrations by now, and is invalid without verification', async () => {
    const { id, token } = await registerWithLink(service);
    const { databaseUrl } = service;
    const staff = { REGISTRATION_APPROVAL: 'staff' };
    const without = await serviceForThisTest({ databaseUrl, env: { ...staff, EMAIL_VERIFICATION: 'off' } });
    expect(await verify(token, CHOSEN, without)).toMatchObject(DEAD);
    const staffed = await serviceForThisTest({ databaseUrl, env: staff });
    expect(await verify(token, CHOSEN, staffed)).toMatchObject(OK);
    expect(await stateOf(id)).toMatchObject({ ...WAITS, proved: true });
  });

  it('no link is made for a mail that leaves after the rejection', async () => {
    const { id, email, token } = await registerWithLink(service);
    await patch(id, { approvalStatus: 'REJECTED' });
    await service.sql(
      `UPDATE mail_outbox SET status = 'PENDING', sent_at = NULL, next_attempt_at = now() WHERE recipient = $1
         AND kind = 'email_verification'`,
      [email],
    );
    const isSkipped = async () =>
      (await kindsAndStates(email)).some(
        ({ kind, status }) => kind === 'email_verification' && status === 'SKIPPED',
      );
    await waitUntil(isSkipped, { what: 'a mail that is skipped' });
    expect(await verify(token)).toMatchObject(DEAD);
  });
});

const kindsAndStates = (email: string) =>
  service.sql('SELECT kind, status FROM mail_outbox WHERE recipient = $1', [email]);

it('the token is in the mail and only its digest in the database', async () => {
  const { token } = await registerWithLink(service);
  const found = await service.sql(
    'SELECT octet_length(token_digest) AS bytes FROM email_verification_tokens WHERE token_digest = sha256($1)',
    [Buffer.from(token)],
  );
  expect(found).toEqual([{ bytes: 32 }]);
});

it('used and expired links are cleaned up like those of resets', async () => {
  const fresh = await serviceForThisTest({ env });
  const [used, open] = [await registerWithLink(fresh), await registerWithLink(fresh)];
  expect(await verify(used.token, CHOSEN, fresh)).toMatchObject(OK);
  await fresh.sql(
    `UPDATE email_verification_tokens SET created_at = now() - interval '9 days', used_at = now() - interval '8 days'
     WHERE used_at IS NOT NULL`,
  );
  await operate(fresh.auth, ({ maintenance }) => maintenance.run({ only: ['resets'] }));
  const left = await fresh.sql('SELECT user_id FROM email_verification_tokens');
  expect(left).toEqual([{ user_id: open.id }]);
});

it('production without mail is refused, and the fault names what is missing', () => {
  const production = {
    APP_ENV: 'production',
    REGISTRATION_APPROVAL: 'verified',
    PUBLIC_REGISTRATION_ENABLED: 'true',
  };
  expect(() => readSettings(production)).toThrow(/SMTP_URL[\s\S]*REGISTRATION_APPROVAL is verified/);
  const mail = { SMTP_URL: 'smtps://smtp.example.com', MAIL_FROM: 'no-reply@example.com' };
  expect(() => readSettings({ ...production, ...mail })).not.toThrow(/REGISTRATION_APPROVAL is verified/);
  expect(() => readSettings(production)).toThrow(/unless MAIL_BY_APP is on/);
  expect(() => readSettings({ ...production, MAIL_BY_APP: 'true' })).not.toThrow(/SMTP_URL|MAIL_FROM/);
});

it('approval by a link is refused without links, and the fault names both settings', () => {
  const settings = { REGISTRATION_APPROVAL: 'verified', EMAIL_VERIFICATION: 'off' };
  expect(() => readSettings(settings)).toThrow(/EMAIL_VERIFICATION[\s\S]*REGISTRATION_APPROVAL is verified/);
  expect(() => readSettings({ EMAIL_VERIFICATION: 'off' })).not.toThrow();
});
