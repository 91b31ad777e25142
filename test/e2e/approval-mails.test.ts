import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedInUser } from '../support/minted-token.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const freshEmail = (): string => `guest-${randomUUID()}@example.com`;
const APPROVE = { approvalStatus: 'APPROVED', isActive: true };

async function register(on = service, email = freshEmail()): Promise<{ id: string; email: string }> {
  const body = { email, password: 'a long walk home', fullName: 'Ann Berg' };
  const answer = await on.api('POST', '/auth/register', { body });
  expect(answer.status, answer.text).toBe(201);
  const [row] = await on.sql('SELECT id FROM users WHERE email = $1', [email]);
  return { id: String(row?.id), email };
}

/** Returns the kinds of the mails that were queued for an address, in order. */
const queuedFor = async (email: string, on = service): Promise<unknown[]> =>
  (await on.sql('SELECT kind FROM mail_outbox WHERE recipient = $1 ORDER BY id', [email])).map(
    ({ kind }) => kind,
  );

describe('a decided registration', () => {
  it('an approval by staff is mailed, with the way to sign in', async () => {
    const { id, email } = await register();
    await service.mailTo(email);
    const { token } = await signedInUser(service, { role: 'PLATFORM_MODERATOR' });
    const answer = await service.api('PATCH', `/internal/users/${id}`, { token, body: APPROVE });
    expect(answer.status, answer.text).toBe(200);
    const mail = await service.mailTo(email, 2);
    expect(mail.subject).toBe('Your registration with Latchkey was approved');
    expect(mail.link).toBe(`${service.publicUrl}/login`);
    expect(mail.text).not.toContain('Ann');
  });

  it('a rejection by a machine is mailed', async () => {
    const { id, email } = await register();
    await service.mailTo(email);
    const body = { approvalStatus: 'REJECTED' };
    expect((await service.machine('PATCH', `/internal/admin/users/${id}`, { body })).status).toBe(200);
    const mail = await service.mailTo(email, 2);
    expect(mail.subject).toBe('Your registration with Latchkey was not approved');
    expect(mail.link).toBe('');
  });

  it('an approval is mailed when an operator makes the user the first superadmin', async () => {
    const fresh = await serviceForThisTest();
    const { id, email } = await register(fresh);
    await fresh.auth.admin.bootstrap.promote({ kind: 'machine', name: 'cli:test' }, id);
    expect((await queuedFor(email, fresh)).toSorted()).toEqual([
      'email_verification',
      'registration_approved',
      'role_changed',
    ]);
  });

  it('an approval is mailed once, however often it is repeated', async () => {
    const { id, email } = await register();
    const path = `/internal/admin/users/${id}`;
    for (const body of [APPROVE, APPROVE, { isActive: false }, { isActive: true }, { fullName: 'Ann' }]) {
      expect((await service.machine('PATCH', path, { body })).status).toBe(200);
    }
    expect(await queuedFor(email)).toEqual(['email_verification', 'registration_approved']);
  });

  it('an approval is mailed once when several administrators approve at once', async () => {
    const { id, email } = await register();
    const patch = () => service.machine('PATCH', `/internal/admin/users/${id}`, { body: APPROVE });
    await Promise.all([patch(), patch(), patch(), patch()]);
    expect(await queuedFor(email)).toEqual(['email_verification', 'registration_approved']);
  });

  it('an approval after a rejection is mailed, too', async () => {
    const { id, email } = await register();
    const path = `/internal/admin/users/${id}`;
    for (const body of [{ approvalStatus: 'REJECTED' }, APPROVE])
      await service.machine('PATCH', path, { body });
    const decisions = ['registration_rejected', 'registration_approved'];
    expect(await queuedFor(email)).toEqual(['email_verification', ...decisions]);
  });

  it('a user who was created approved, or loses an approval, gets no such mail', async () => {
    const email = freshEmail();
    const { data } = await service.machine('POST', '/internal/admin/users', { body: { email } });
    for (const approvalStatus of ['REJECTED', 'PENDING']) {
      await service.machine('PATCH', `/internal/admin/users/${data.id}`, { body: { approvalStatus } });
    }
    expect(await queuedFor(email)).toEqual([]);
  });

  it('a refused decision leaves no mail', async () => {
    const { id, email } = await register();
    const { token } = await signedInUser(service);
    expect((await service.api('PATCH', `/internal/users/${id}`, { token, body: APPROVE })).status).toBe(403);
    expect(await queuedFor(email)).toEqual(['email_verification']);
  });
});

describe('the mail to approvers', () => {
  const [TEAM, BOSS] = ['team@example.com', 'boss@example.com'];
  const notified = () => serviceForThisTest({ env: { APPROVAL_NOTICE_TO: `${TEAM}, ${BOSS}` } });

  it('approvers are notified how many registrations wait, at most once an hour, by one mail however many register at once', async () => {
    const on = await notified();
    const people = await Promise.all(Array.from({ length: 8 }, () => register(on)));
    expect((await on.mailTo(TEAM)).subject).toMatch(/^\d registrations? waits? for approval on Latchkey$/);
    const notices = await on.sql(
      `SELECT recipient, next_attempt_at > now() AS later FROM mail_outbox
       WHERE kind = 'approval_waiting' ORDER BY recipient, next_attempt_at`,
    );
    // The first mail is sent at once; later registrations are reported in an hour.
    expect(notices).toEqual(
      [BOSS, TEAM].flatMap((recipient) => [
        { recipient, later: false },
        { recipient, later: true },
      ]),
    );
    const { text } = await on.mailTo(BOSS);
    for (const { email } of people) expect(text).not.toContain(email);
  });

  it('approvers are notified an hour later of the registrations of that hour', async () => {
    const on = await notified();
    await register(on);
    await on.mailTo(TEAM);
    await register(on);
    await on.sql(`UPDATE mail_outbox SET next_attempt_at = now() WHERE status = 'PENDING'`);
    expect((await on.mailTo(TEAM, 2)).subject).toBe('2 registrations wait for approval on Latchkey');
  });

  it('approvers are not notified of registrations that were already decided', async () => {
    const on = await notified();
    const first = await register(on);
    await on.mailTo(TEAM);
    const second = await register(on);
    for (const { id } of [first, second]) {
      await on.machine('PATCH', `/internal/admin/users/${id}`, { body: APPROVE });
    }
    await on.sql(`UPDATE mail_outbox SET next_attempt_at = now() WHERE status = 'PENDING'`);
    await waitUntil(
      async () => {
        const [row] = await on.sql(
          `SELECT count(*)::int AS n FROM mail_outbox WHERE kind = 'approval_waiting' AND status = 'SKIPPED'`,
        );
        return row?.n === 2;
      },
      { what: 'notices that are not sent' },
    );
    expect(on.mailsTo(TEAM)).toHaveLength(1);
  });

  it('no approver is notified unless the setting names one', async () => {
    await register();
    expect(await service.sql(`SELECT 1 FROM mail_outbox WHERE kind = 'approval_waiting'`)).toEqual([]);
  });
});
