import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmailChangeClient, freshAddress } from '../support/email-change-client.js';
import { InvitationClient } from '../support/invitation-client.js';
import { signedInUser } from '../support/minted-token.js';
import { CHOSEN } from '../support/registration-client.js';
import { NEW_PASSWORD, ResetClient } from '../support/reset-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const OK = { status: 200, data: { status: 'ok' } };
const DEAD = { status: 400, code: 'validation_error' };
const TAKEN = { status: 409, code: 'conflict' };

let service: TestService;
let changes: EmailChangeClient;
beforeAll(async () => {
  service = await startTestService();
  changes = new EmailChangeClient(service);
});
afterAll(() => service.stop());

const login = (email: string, password: string) =>
  service.api('POST', '/auth/login', { body: { email, password } });
const patch = (id: string, body: object) => service.machine('PATCH', `/internal/admin/users/${id}`, { body });
const eventsOf = (id: string) =>
  service.sql(
    `SELECT event, actor, details->>'reason' AS reason FROM auth_audit_logs
     WHERE subject_user_id = $1 AND event LIKE 'email_%' ORDER BY occurred_at, id`,
    [id],
  );

describe('a change of address', () => {
  it('the link to the new address changes it, and proves the mailbox', async () => {
    const user = await service.signedIn({ emailVerified: false });
    const { newEmail, token } = await changes.requested(user.accessToken);
    expect(token).toMatch(/^lke_[\w-]{43}$/);
    expect(await changes.emailOf(user.id)).toBe(user.email);
    expect(await changes.confirm(token)).toMatchObject(OK);
    const me = await service.api('GET', '/auth/me', { token: user.accessToken });
    expect(me.data).toMatchObject({ email: newEmail, emailVerifiedAt: expect.any(String) as string });
    expect((await login(newEmail, user.password)).status).toBe(200);
    expect((await login(user.email, user.password)).status).toBe(401);
    expect(await eventsOf(user.id)).toEqual([
      { event: 'email_change_requested', actor: 'user', reason: null },
      { event: 'email_changed', actor: 'user', reason: 'email_changed' },
    ]);
    expect(await changes.confirm(token)).toMatchObject(DEAD);
  });

  it('a client that opens the links, however often, changes nothing', async () => {
    const user = await service.signedIn();
    const { newEmail } = await changes.requested(user.accessToken);
    const { link } = await service.mailTo(newEmail);
    for (const method of ['GET', 'HEAD', 'POST']) await fetch(link, { method });
    expect(await changes.emailOf(user.id)).toBe(user.email);
  });

  it('the session that requested the change goes on, and the others end', async () => {
    const user = await service.signedIn();
    const other = await service.signIn(user);
    await changes.changed(user);
    const me = (token: string) => service.api('GET', '/auth/me', { token });
    expect((await me(user.accessToken)).status).toBe(200);
    expect((await me(other.accessToken)).code).toBe('session_revoked');
    const { refreshToken } = user;
    expect((await service.api('POST', '/auth/refresh', { body: { refreshToken } })).status).toBe(200);
  });

  it('reset links that were mailed or requested before stop working', async () => {
    const user = await service.signedIn();
    const resets = new ResetClient(service);
    const reset = await resets.tokenFor(user.email);
    await changes.changed(user);
    expect(await resets.confirm(reset)).toMatchObject(DEAD);
  });

  it('a change needs a recent sign-in by the user', async () => {
    const minted = await signedInUser(service);
    expect(await changes.request(minted.token, freshAddress())).toMatchObject({
      status: 401,
      code: 'reauthentication_required',
      headers: { 'www-authenticate': expect.stringContaining('max_age=900') as string },
    });
    expect((await changes.request('', freshAddress())).status).toBe(401);
  });

  it('the own address, in any spelling, is no new one', async () => {
    const user = await service.signedIn();
    const answer = await changes.request(user.accessToken, ` ${user.email.toUpperCase()}`);
    expect(answer).toMatchObject(DEAD);
    expect(answer.message).toContain('newEmail: is the address of this account');
  });

  it('a user has three requests an hour, and each replaces the one before', async () => {
    const user = await service.signedIn();
    const first = await changes.requested(user.accessToken);
    await changes.requested(user.accessToken);
    const third = await changes.requested(user.accessToken);
    const fourth = await changes.request(user.accessToken, freshAddress());
    expect(fourth).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(fourth.headers['retry-after'])).toBeGreaterThan(3500);
    expect(await changes.confirm(first.token)).toMatchObject(DEAD);
    expect(await changes.confirm(third.token)).toMatchObject(OK);
    await service.sql(
      `UPDATE email_changes SET created_at = created_at - interval '1 hour' WHERE user_id = $1`,
      [user.id],
    );
    expect((await changes.request(user.accessToken, freshAddress())).status).toBe(200);
  });

  it('of many requests at once three are accepted, and one of them is pending', async () => {
    const user = await service.signedIn();
    const addresses = Array.from({ length: 8 }, freshAddress);
    const answers = await Promise.all(addresses.map((email) => changes.request(user.accessToken, email)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const pending = await service.sql(
      'SELECT 1 FROM email_changes WHERE user_id = $1 AND ended_at IS NULL AND confirmed_at IS NULL',
      [user.id],
    );
    expect(pending).toHaveLength(1);
  });

  it('a link is spent once, of twenty uses at the same time', async () => {
    const user = await service.signedIn();
    const { token } = await changes.requested(user.accessToken);
    const answers = await Promise.all(Array.from({ length: 20 }, () => changes.confirm(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await eventsOf(user.id)).filter(({ event }) => event === 'email_changed')).toHaveLength(1);
  });
});

describe('an address that is taken', () => {
  it('a request for a taken address is answered, written and mailed like one for a free address', async () => {
    const [user, owner] = [await service.signedIn(), await service.createUser()];
    const written = async (address: string) => {
      const before = await eventsOf(user.id);
      expect(await changes.request(user.accessToken, address)).toMatchObject(OK);
      const token = await changes.tokenTo(address, '/change-email');
      return { token, rows: (await eventsOf(user.id)).length - before.length };
    };
    const [free, taken] = [await written(freshAddress()), await written(owner.email)];
    expect(taken.rows).toBe(free.rows);
    expect(await changes.confirm(taken.token)).toMatchObject(TAKEN);
    expect(await changes.emailOf(user.id)).toBe(user.email);
    expect(await changes.emailOf(owner.id)).toBe(owner.email);
  });

  it('an address that another user registers between request and confirmation is theirs', async () => {
    const user = await service.signedIn();
    const { newEmail, token } = await changes.requested(user.accessToken);
    const body = { email: newEmail, password: CHOSEN, fullName: 'Eve' };
    expect((await service.api('POST', '/auth/register', { body })).status).toBe(201);
    const answer = await changes.confirm(token);
    expect(answer).toMatchObject(TAKEN);
    expect(await changes.emailOf(user.id)).toBe(user.email);
    expect((await service.api('GET', '/auth/me', { token: user.accessToken })).status).toBe(200);
    // The link works once the address is free.
    await service.sql('DELETE FROM users WHERE email = $1', [newEmail]);
    expect(await changes.confirm(token)).toMatchObject(OK);
  });

  it('of two users who change to one address at once, one gets it', async () => {
    const address = freshAddress();
    const people = [await service.signedIn(), await service.signedIn()];
    const tokens: string[] = [];
    for (const [index, { accessToken }] of people.entries()) {
      await changes.request(accessToken, address);
      tokens.push(await changes.tokenTo(address, '/change-email', index + 1));
    }
    const answers = await Promise.all(tokens.map((token) => changes.confirm(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const held = await Promise.all(people.map(({ id }) => changes.emailOf(id)));
    expect(held.filter((email) => email === address)).toHaveLength(1);
  });

  it('the former address is reserved for its owner, in every way to get it', async () => {
    const user = await service.signedIn();
    const invitations = await InvitationClient.open(service);
    const { token } = await invitations.invite({ email: user.email });
    await changes.changed(user);
    const body = { email: user.email, password: CHOSEN, fullName: 'Eve' };
    expect(await service.api('POST', '/auth/register', { body })).toMatchObject(TAKEN);
    expect(await service.machine('POST', '/internal/admin/users', { body })).toMatchObject(TAKEN);
    const other = await service.signedIn();
    expect(await patch(other.id, { email: user.email })).toMatchObject(TAKEN);
    const { token: confirmation } = await changes.requested(other.accessToken, user.email);
    expect(await changes.confirm(confirmation)).toMatchObject(TAKEN);
    expect(await invitations.accept({ token, password: CHOSEN })).toMatchObject(TAKEN);
    const inAWeek = `UPDATE email_changes SET undo_expires_at = now() WHERE user_id = $1`;
    await service.sql(inAWeek, [user.id]);
    expect((await service.api('POST', '/auth/register', { body })).status).toBe(201);
  });

  it('a registration that waits for the confirmed change finds the address reserved', async () => {
    const user = await service.signedIn();
    const { token } = await changes.requested(user.accessToken);
    const body = { email: user.email, password: CHOSEN, fullName: 'Eve' };
    const attempts = Array.from({ length: 6 }, () => service.api('POST', '/auth/register', { body }));
    const [confirmed, ...registered] = await Promise.all([changes.confirm(token), ...attempts]);
    expect(confirmed.status).toBe(200);
    for (const answer of registered) expect(answer).toMatchObject(TAKEN);
  });

  it('a user may return to their former address by another change', async () => {
    const user = await service.signedIn();
    const { newEmail, undo } = await changes.changed(user);
    const back = await changes.changed({ accessToken: user.accessToken, email: newEmail }, user.email);
    expect(await changes.emailOf(user.id)).toBe(user.email);
    expect(await changes.undo(undo)).toMatchObject(DEAD);
    expect(await changes.undo(back.undo)).toMatchObject(OK);
  });
});

describe('a pending change', () => {
  const ENDS: Record<string, (user: Awaited<ReturnType<TestService['signedIn']>>) => Promise<unknown>> = {
    'a new password of the user': ({ accessToken: token, password: currentPassword }) =>
      service.api('POST', '/auth/password/change', {
        token,
        body: { currentPassword, newPassword: NEW_PASSWORD },
      }),
    'a reset of the password': async ({ email }) => {
      const resets = new ResetClient(service);
      return resets.confirm(await resets.tokenFor(email));
    },
    'a password that an operator sets': ({ id }) =>
      service.auth.admin.passwords.set({ kind: 'operator', name: 'alice' }, id, { password: NEW_PASSWORD }),
    'a sign-out everywhere': ({ accessToken: token }) => service.api('POST', '/auth/logout-all', { token }),
    'the end of all sessions by a machine': ({ id }) =>
      service.machine('POST', `/internal/admin/users/${id}/revoke-all`),
    'a deactivation, also after a reactivation': async ({ id }) => {
      await patch(id, { isActive: false });
      return patch(id, { isActive: true });
    },
    'a withdrawn approval, also after another approval': async ({ id }) => {
      await patch(id, { approvalStatus: 'PENDING' });
      return patch(id, { approvalStatus: 'APPROVED' });
    },
    'a platform role': ({ id }) => patch(id, { globalRole: 'PLATFORM_MODERATOR' }),
    'another address that a machine sets': ({ id }) => patch(id, { email: freshAddress() }),
  };

  it.each(Object.keys(ENDS))('a pending change ends by %s', async (way) => {
    const user = await service.signedIn();
    const { newEmail, token } = await changes.requested(user.accessToken);
    await ENDS[way]?.(user);
    expect(await changes.confirm(token)).toMatchObject(DEAD);
    expect(await changes.emailOf(user.id)).not.toBe(newEmail);
  });

  it('a pending change ends after 24 hours', async () => {
    const user = await service.signedIn();
    const { token } = await changes.requested(user.accessToken);
    const [row] = await service.sql(
      `SELECT expires_at BETWEEN now() + interval '1435 minutes' AND now() + interval '24 hours' AS is_a_day
       FROM email_changes WHERE user_id = $1`,
      [user.id],
    );
    expect(row).toEqual({ is_a_day: true });
    await service.sql('UPDATE email_changes SET expires_at = now() WHERE user_id = $1', [user.id]);
    expect(await changes.confirm(token)).toMatchObject(DEAD);
  });

  it('a mail that is due after the change has ended carries no link', async () => {
    const user = await service.signedIn();
    const { newEmail, token } = await changes.requested(user.accessToken);
    await service.api('POST', '/auth/logout-all', { token: user.accessToken });
    await service.sql(
      `UPDATE mail_outbox SET status = 'PENDING', sent_at = NULL, next_attempt_at = now() WHERE recipient = $1`,
      [newEmail],
    );
    const isSkipped = async () => {
      const [row] = await service.sql('SELECT status FROM mail_outbox WHERE recipient = $1', [newEmail]);
      return row?.status === 'SKIPPED';
    };
    await waitUntil(isSkipped, { what: 'a mail that is skipped' });
    expect(await changes.confirm(token)).toMatchObject(DEAD);
  });

  it('a sign-out of other sessions leaves the pending change of this one', async () => {
    const user = await service.signedIn();
    const { token } = await changes.requested(user.accessToken);
    await service.api('POST', '/auth/logout-others', { token: user.accessToken });
    expect(await changes.confirm(token)).toMatchObject(OK);
  });

  it('a request by a session that has ended is refused, even if its token was accepted before', async () => {
    const user = await service.signedIn();
    const caller = await service.auth.authenticator.authenticate(user.accessToken);
    await service.api('POST', '/auth/logout-all', { token: user.accessToken });
    const request = service.auth.emailChange.request(caller, { newEmail: freshAddress() });
    await expect(request).rejects.toMatchObject({ code: 'session_revoked' });
  });
});

describe('the notice to the former address', () => {
  it('the notice has a link to undo the change, and does not contain the new address', async () => {
    const user = await service.signedIn();
    const { newEmail } = await changes.changed(user);
    const mail = await service.mailTo(user.email);
    expect(mail.subject).toBe('The email address of your Latchkey account was changed');
    expect(mail.text).toContain('7 days');
    expect(mail.text).not.toContain(newEmail);
  });

  it('the notice of a change by a machine has no link, and ends the links of earlier changes', async () => {
    const user = await service.signedIn();
    const { newEmail, undo } = await changes.changed(user);
    expect((await patch(user.id, { email: freshAddress() })).status).toBe(200);
    const mail = await service.mailTo(newEmail, 2);
    expect(mail.text).toContain('An administrator changed the email address');
    expect(mail.link).toBe('');
    expect(await changes.undo(undo)).toMatchObject(DEAD);
    const body = { email: user.email, password: CHOSEN, fullName: 'Ada' };
    expect((await service.api('POST', '/auth/register', { body })).status).toBe(201);
  });

  it('a machine that sets the address a user has already sends no notice', async () => {
    const user = await service.createUser();
    await patch(user.id, { email: user.email });
    expect(await service.sql('SELECT 1 FROM mail_outbox WHERE recipient = $1', [user.email])).toEqual([]);
  });
});
