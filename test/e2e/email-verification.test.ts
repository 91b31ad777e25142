import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '@latchkey/core';
import { signedInUser } from '../support/minted-token.js';
import { operate } from '../support/operations.js';
import {
  CHOSEN,
  linksOf,
  registerUser,
  registerWithLink,
  type RegisteredWithLinks,
} from '../support/registration-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const OK = { status: 200, data: { status: 'ok' } };
const DEAD = { status: 400, code: 'validation_error' };
const APPROVE = { approvalStatus: 'APPROVED', isActive: true };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const verify = (token: string, on = service) => on.api('POST', '/auth/email/verify', { body: { token } });
const reject = (token: string, on = service) =>
  on.api('POST', '/auth/email/verify/reject', { body: { token } });
const resend = (email: string, on = service) =>
  on.api('POST', '/auth/email/verify/resend', { body: { email } });
const patch = (id: string, body: object, on = service) =>
  on.machine('PATCH', `/internal/admin/users/${id}`, { body });
const login = (email: string, on = service) =>
  on.api('POST', '/auth/login', { body: { email, password: CHOSEN } });

const userOf = async (id: string, on = service) => {
  const [row] = await on.sql(
    `SELECT approval_status, is_active, email_verified_at IS NOT NULL AS proved FROM users WHERE id = $1`,
    [id],
  );
  return row;
};
const eventsOf = async (id: string, on = service) =>
  (
    await on.sql(
      'SELECT event, actor FROM auth_audit_logs WHERE subject_user_id = $1 ORDER BY occurred_at, id',
      [id],
    )
  ).map(({ event, actor }) => `${String(event)} by ${String(actor)}`);

/** Waits until every queued mail to an address was sent or skipped. @returns their states, the oldest first. */
async function settled(email: string, on = service): Promise<unknown[]> {
  const mails = () => on.sql('SELECT status FROM mail_outbox WHERE recipient = $1 ORDER BY id', [email]);
  await waitUntil(async () => (await mails()).every(({ status }) => status !== 'PENDING'), {
    what: 'mails that are sent or skipped',
  });
  return (await mails()).map(({ status }) => status);
}

describe('the link of a registration that staff approve', () => {
  it('the link proves the mailbox without a password, approves nothing, and is shown to staff', async () => {
    const { id, email, token } = await registerWithLink(service);
    const staff = await signedInUser(service, { role: 'PLATFORM_MODERATOR' });
    const listed = async () =>
      (await service.api('GET', `/internal/users?search=${email}`, { token: staff.token })).items;
    expect(await listed()).toMatchObject([{ id, approvalStatus: 'PENDING' }]);
    expect(JSON.stringify(await listed())).not.toContain('emailVerifiedAt');
    expect(await verify(token)).toMatchObject(OK);
    expect(await userOf(id)).toEqual({ approval_status: 'PENDING', is_active: false, proved: true });
    expect(await listed()).toMatchObject([{ id, emailVerifiedAt: expect.any(String) as string }]);
    expect(await login(email)).toMatchObject({ status: 403, code: 'pending_approval' });
    expect(await eventsOf(id)).toContain('email_verified by user');
    expect(await verify(token)).toMatchObject(DEAD);
  });

  it('a client that opens the links, however often, changes nothing', async () => {
    const { id, email } = await registerWithLink(service);
    const { text } = await service.mailTo(email);
    for (const [link] of text.matchAll(/https?:\/\/\S+/g)) {
      for (const method of ['GET', 'HEAD', 'GET', 'POST']) await fetch(link, { method });
    }
    expect(await userOf(id)).toEqual({ approval_status: 'PENDING', is_active: false, proved: false });
  });

  it('a user may sign in without the proof once staff have approved them', async () => {
    const { id, email, token } = await registerWithLink(service);
    expect((await patch(id, APPROVE)).status).toBe(200);
    expect((await login(email)).status).toBe(200);
    expect(await verify(token)).toMatchObject(OK);
  });

  it('no link is mailed while verification is off, and links that were mailed are invalid', async () => {
    const { databaseUrl } = service;
    const { email: earlier, token, rejection } = await registerWithLink(service);
    const off = await serviceForThisTest({ databaseUrl, env: { EMAIL_VERIFICATION: 'off' } });
    const { email } = await registerUser(off);
    const [mail] = await off.sql('SELECT kind FROM mail_outbox WHERE recipient = $1', [email]);
    expect(mail).toEqual({ kind: 'pending_registration' });
    expect(await verify(token, off)).toMatchObject(DEAD);
    expect(await resend(earlier, off)).toMatchObject(OK);
    expect(await off.sql('SELECT 1 FROM mail_outbox WHERE recipient = $1', [earlier])).toHaveLength(1);
    // The owner of the mailbox may still say that they did not register.
    expect(await reject(rejection, off)).toMatchObject(OK);
  });
});

describe('the link for recipients who did not register', () => {
  it('the link deletes the pending registration, and the address is free again', async () => {
    const { id, email, rejection } = await registerWithLink(service);
    expect(rejection).toMatch(/^lke_[\w-]{43}$/);
    expect(await reject(rejection)).toMatchObject(OK);
    expect(
      await service.sql('SELECT email, erased_at IS NOT NULL AS gone FROM users WHERE id = $1', [id]),
    ).toEqual([{ email: `erased-${id}@erased.invalid`, gone: true }]);
    expect(await eventsOf(id)).toEqual(['registration by user', 'registration_cancelled by anonymous']);
    expect((await login(email)).status).toBe(401);
    expect(await reject(rejection)).toMatchObject(DEAD);
    await registerUser(service, email);
  });

  it('each link does what its own token is for, and nothing else', async () => {
    const { id, token, rejection } = await registerWithLink(service);
    expect(await verify(rejection)).toMatchObject(DEAD);
    expect(await reject(token)).toMatchObject(DEAD);
    expect(await userOf(id)).toMatchObject({ proved: false });
  });

  it.each<[string, (user: RegisteredWithLinks) => Promise<unknown>]>([
    ['approved', ({ id }) => patch(id, APPROVE)],
    ['rejected', ({ id }) => patch(id, { approvalStatus: 'REJECTED' })],
    ['given a staff role', ({ id }) => patch(id, { globalRole: 'PLATFORM_MODERATOR' })],
    ['given another address', ({ id, email }) => patch(id, { email: `moved-${email}` })],
    ['confirmed by the other link', ({ token }) => verify(token)],
  ])('a registration is not deleted once it was %s', async (_what, change) => {
    const user = await registerWithLink(service);
    await change(user);
    expect(await reject(user.rejection)).toMatchObject(DEAD);
    expect(await userOf(user.id)).toBeDefined();
  });

  it('a registration is not deleted by a link of more than 24 hours', async () => {
    const { id, rejection } = await registerWithLink(service);
    await service.sql('UPDATE email_verification_tokens SET expires_at = now() WHERE user_id = $1', [id]);
    expect(await reject(rejection)).toMatchObject(DEAD);
  });

  it('a registration is either deleted or confirmed, when both links are used at once', async () => {
    const { id, token, rejection } = await registerWithLink(service);
    const answers = await Promise.all([verify(token), reject(rejection), verify(token), reject(rejection)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(3);
    const [isConfirmed, user] = [answers[0].status === 200 || answers[2].status === 200, await userOf(id)];
    expect(user?.proved ?? false).toBe(isConfirmed);
  });
});

describe('a registration mail that is requested again', () => {
  it('a request is answered alike for any address, and mails a further link to an unproved mailbox alone', async () => {
    const { id, email, token } = await registerWithLink(service);
    const proved = await service.createUser();
    for (const address of [email.toUpperCase(), proved.email, 'nobody-here@example.com']) {
      expect(await resend(address)).toMatchObject(OK);
    }
    const again = linksOf(await service.mailTo(email, 2));
    expect(await settled(proved.email)).toEqual(['SKIPPED']);
    expect(await settled('nobody-here@example.com')).toEqual(['SKIPPED']);
    expect(again.token).not.toBe(token);
    expect(await verify(again.token)).toMatchObject(OK);
    // The proof ends the links of the other mails, too.
    expect(await verify(token)).toMatchObject(DEAD);
    expect(await reject(again.rejection)).toMatchObject(DEAD);
    expect(await eventsOf(id)).toContain('email_verification_requested by anonymous');
  });

  it('a request writes the same rows for a known and an unknown address', async () => {
    const { email } = await registerWithLink(service);
    const written = async (address: string) => {
      const count = async () => {
        const [row] = await service.sql(
          `SELECT (SELECT count(*) FROM mail_outbox)::int AS mails,
             (SELECT count(*) FROM auth_audit_logs)::int AS audit`,
        );
        return row as Record<string, number>;
      };
      const before = await count();
      await resend(address);
      const after = await count();
      return [(after.mails ?? 0) - (before.mails ?? 0), (after.audit ?? 0) - (before.audit ?? 0)];
    };
    expect(await written(email)).toEqual([1, 1]);
    expect(await written('nobody-at-all@example.com')).toEqual([1, 1]);
  });

  it('a user gets three such mails an hour, however many are requested', async () => {
    const { id, email } = await registerWithLink(service);
    await Promise.all(Array.from({ length: 6 }, () => resend(email)));
    expect((await settled(email)).filter((status) => status === 'SENT')).toHaveLength(1 + 3);
    const anHourLater = `UPDATE email_verification_tokens SET created_at = created_at - interval '61 minutes'
      WHERE user_id = $1`;
    await service.sql(anHourLater, [id]);
    await resend(email);
    expect((await settled(email)).filter((status) => status === 'SENT')).toHaveLength(1 + 4);
  });

  it('a mail that was requested before a rejection carries no link after it', async () => {
    const { id, email } = await registerWithLink(service);
    await patch(id, { approvalStatus: 'REJECTED' });
    await resend(email);
    expect((await settled(email)).at(-1)).toBe('SKIPPED');
  });
});

describe('the link where it approves by itself', () => {
  let verified: TestService;
  beforeAll(async () => {
    verified = await startTestService({ env: { REGISTRATION_APPROVAL: 'verified' } });
  });
  afterAll(() => verified.stop());

  it('the link needs a password, and stays usable without one', async () => {
    const { id, token } = await registerWithLink(verified);
    const answer = await verify(token, verified);
    expect(answer).toMatchObject(DEAD);
    expect(answer.message).toContain('password: is required');
    expect(await userOf(id, verified)).toMatchObject({ approval_status: 'PENDING', proved: false });
    const body = { token, password: CHOSEN };
    expect(await verified.api('POST', '/auth/email/verify', { body })).toMatchObject(OK);
  });

  it('a registration that expired is mailed a new link, one that staff decided against is not', async () => {
    const [late, refused] = [await registerWithLink(verified), await registerWithLink(verified)];
    const expire = `UPDATE email_verification_tokens SET expires_at = now() - interval '9 days',
      created_at = now() - interval '10 days'`;
    await verified.sql(expire);
    for (const approvalStatus of ['APPROVED', 'PENDING']) {
      await patch(refused.id, { approvalStatus }, verified);
    }
    await operate(verified.auth, ({ maintenance }) => maintenance.run({ only: ['resets'] }));
    for (const { email } of [late, refused]) await resend(email, verified);
    const { token } = await verified.mailTo(late.email, 2);
    const body = { token, password: CHOSEN };
    expect(await verified.api('POST', '/auth/email/verify', { body })).toMatchObject(OK);
    expect((await settled(refused.email, verified)).at(-1)).toBe('SKIPPED');
  });
});

it('required verification without mail is refused in production, and the fault names what is missing', () => {
  const production = { APP_ENV: 'production', EMAIL_VERIFICATION: 'required' };
  expect(() => readSettings(production)).toThrow(/SMTP_URL[\s\S]*EMAIL_VERIFICATION is required/);
  expect(() => readSettings({ APP_ENV: 'production' })).not.toThrow(/EMAIL_VERIFICATION is required/);
});

it('the link of a registration that needs no approval needs a password, so a click vouches for no stranger', async () => {
  const open = await serviceForThisTest({ env: { REGISTRATION_APPROVAL: 'none' } });
  const email = 'ann.open@example.com';
  const body = { email, password: CHOSEN, fullName: 'Ann Berg' };
  const registered = await open.api('POST', '/auth/register', { body });
  expect(registered).toMatchObject({ status: 201, data: { status: 'approved' } });
  const { token, rejection } = linksOf(await open.mailTo(email));
  expect(rejection).toBe('');
  expect(await verify(token, open)).toMatchObject(DEAD);
  expect((await login(email, open)).status).toBe(200);
  const proof = { token, password: CHOSEN };
  expect(await open.api('POST', '/auth/email/verify', { body: proof })).toMatchObject(OK);
  const [row] = await open.sql('SELECT email_verified_at IS NOT NULL AS proved FROM users WHERE email = $1', [
    email,
  ]);
  expect(row).toEqual({ proved: true });
});

describe.each(['staff', 'verified', 'none'])('links with REGISTRATION_APPROVAL=%s', (approval) => {
  let chosen: TestService;
  beforeAll(async () => {
    chosen = await startTestService({ env: { REGISTRATION_APPROVAL: approval } });
    // Keeps others from being the last one.
    await chosen.createUser({ role: 'PLATFORM_SUPERADMIN' });
  });
  afterAll(() => chosen.stop());

  it.each<[string, object[]]>([
    ['was rejected', [{ approvalStatus: 'REJECTED' }]],
    ['was approved and deactivated', [APPROVE, { isActive: false }]],
    ['got a platform role while they waited', [{ globalRole: 'PLATFORM_MODERATOR' }]],
    ['was approved and got a platform role', [APPROVE, { globalRole: 'PLATFORM_ADMIN' }]],
    ['got a platform role and was approved', [{ globalRole: 'PLATFORM_SUPERADMIN' }, APPROVE]],
  ])('a link is invalid for a user who %s, with and without a password', async (_what, changes) => {
    const { id, token } = await registerWithLink(chosen);
    for (const body of changes) expect((await patch(id, body, chosen)).status).toBe(200);
    const row = () => chosen.sql('SELECT * FROM users WHERE id = $1', [id]);
    const before = await row();
    expect(await verify(token, chosen)).toMatchObject(DEAD);
    for (const password of [CHOSEN, 'another long walk home']) {
      const answer = await chosen.api('POST', '/auth/email/verify', { body: { token, password } });
      expect(answer).toMatchObject(DEAD);
    }
    expect(await row()).toEqual(before);
  });
});
