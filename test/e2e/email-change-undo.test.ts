import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmailChangeClient, freshAddress } from '../support/email-change-client.js';
import { PASSKEY_ENV, registerPasskey, signInWithPasskey } from '../support/passkey-client.js';
import { NEW_PASSWORD, ResetClient } from '../support/reset-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';

const OK = { status: 200, data: { status: 'ok' } };
const DEAD = { status: 400, code: 'validation_error' };
const REFUSED = { status: 401, code: 'unauthorized' };
const THIEFS = 'the password of the thief';

let service: TestService;
let changes: EmailChangeClient;
let resets: ResetClient;
beforeAll(async () => {
  service = await startTestService({ env: PASSKEY_ENV });
  changes = new EmailChangeClient(service);
  resets = new ResetClient(service);
});
afterAll(() => service.stop());

const login = (email: string, password: string) =>
  service.api('POST', '/auth/login', { body: { email, password } });
const me = (token: string) => service.api('GET', '/auth/me', { token });
const changePassword = (token: string, currentPassword: string, newPassword: string) =>
  service.api('POST', '/auth/password/change', { token, body: { currentPassword, newPassword } });

describe('the link that undoes a change of address', () => {
  it('the owner takes the account back from a thief who changed the address, then the password, and added a passkey', async () => {
    const owner = await service.signedIn();
    const thief = await service.signIn(owner);
    const { newEmail, undo } = await changes.changed({ ...owner, accessToken: thief.accessToken });
    expect((await me(owner.accessToken)).code).toBe('session_revoked');
    expect(await changePassword(thief.accessToken, owner.password, THIEFS)).toMatchObject(OK);
    const authenticator = new SoftwareAuthenticator();
    const key = { token: thief.accessToken, password: THIEFS };
    expect((await registerPasskey(service, key, authenticator)).status).toBe(201);
    const reset = await resets.tokenFor(newEmail);

    expect(await changes.undo(undo)).toMatchObject(OK);
    expect(await changes.emailOf(owner.id)).toBe(owner.email);
    expect((await me(thief.accessToken)).code).toBe('session_revoked');
    for (const email of [owner.email, newEmail]) {
      for (const password of [owner.password, THIEFS]) {
        expect(await login(email, password)).toMatchObject(REFUSED);
      }
    }
    expect(await signInWithPasskey(service, authenticator)).toMatchObject(REFUSED);
    expect(await resets.confirm(reset)).toMatchObject(DEAD);

    const token = await resets.tokenFor(owner.email);
    expect(await resets.confirm(token)).toMatchObject(OK);
    expect((await login(owner.email, NEW_PASSWORD)).status).toBe(200);
  });

  it('the link works once, for seven days, and each use is one row of the audit log', async () => {
    const user = await service.signedIn();
    const { undo } = await changes.changed(user);
    const [row] = await service.sql(
      `SELECT undo_expires_at BETWEEN now() + interval '167 hours' AND now() + interval '168 hours' AS is_a_week
       FROM email_changes WHERE user_id = $1`,
      [user.id],
    );
    expect(row).toEqual({ is_a_week: true });
    const answers = await Promise.all(Array.from({ length: 10 }, () => changes.undo(undo)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const rows = await service.sql(
      `SELECT details FROM auth_audit_logs WHERE subject_user_id = $1 AND event = 'email_change_undone'`,
      [user.id],
    );
    expect(rows).toMatchObject([
      { details: { reason: 'email_change_undone', removedPasskeys: 0, revoked: 1 } },
    ]);
    const late = await service.signedIn();
    const second = await changes.changed(late);
    await service.sql('UPDATE email_changes SET undo_expires_at = now() WHERE user_id = $1', [late.id]);
    expect(await changes.undo(second.undo)).toMatchObject(DEAD);
  });

  it('the link restores a deactivated account to its address, and does not reactivate it', async () => {
    const user = await service.signedIn();
    const { undo } = await changes.changed(user);
    const body = { isActive: false };
    await service.machine('PATCH', `/internal/admin/users/${user.id}`, { body });
    expect(await changes.undo(undo)).toMatchObject(OK);
    const [row] = await service.sql('SELECT email, is_active FROM users WHERE id = $1', [user.id]);
    expect(row).toEqual({ email: user.email, is_active: false });
  });

  it('each link of a chain restores its own address', async () => {
    const user = await service.signedIn();
    const first = await changes.changed(user);
    const second = await changes.changed({ ...user, email: first.newEmail });
    expect(await changes.undo(second.undo)).toMatchObject(OK);
    expect(await changes.emailOf(user.id)).toBe(first.newEmail);
    expect(await changes.undo(first.undo)).toMatchObject(OK);
    expect(await changes.emailOf(user.id)).toBe(user.email);
  });

  it('a link ends those of later changes: they were mailed to addresses of the thief', async () => {
    const user = await service.signedIn();
    const first = await changes.changed(user);
    const second = await changes.changed({ ...user, email: first.newEmail });
    const third = await changes.requested(user.accessToken);
    expect(await changes.undo(first.undo)).toMatchObject(OK);
    expect(await changes.undo(second.undo)).toMatchObject(DEAD);
    expect(await changes.confirm(third.token)).toMatchObject(DEAD);
    expect(await changes.emailOf(user.id)).toBe(user.email);
    // Their addresses are free again.
    const body = { email: first.newEmail };
    expect((await service.machine('POST', '/internal/admin/users', { body })).status).toBe(201);
  });

  it('of the links of a chain that are used at once, the earliest decides', async () => {
    const user = await service.signedIn();
    const first = await changes.changed(user);
    const second = await changes.changed({ ...user, email: first.newEmail });
    await Promise.all([changes.undo(second.undo), changes.undo(first.undo)]);
    expect(await changes.emailOf(user.id)).toBe(user.email);
    expect(await changes.undo(second.undo)).toMatchObject(DEAD);
  });

  it('the address that loses the account is notified, without a link', async () => {
    const user = await service.signedIn({ fullName: 'Ada Lovelace' });
    const { newEmail, undo } = await changes.changed(user);
    await changes.undo(undo);
    const mail = await service.mailTo(newEmail, 2);
    expect(mail.text).toContain('was undone');
    expect(mail.text).not.toContain('Ada');
    expect(mail.link).toBe('');
  });

  it('a token does only what its own link is for', async () => {
    const user = await service.signedIn();
    const { undo } = await changes.changed(user);
    const { token } = await changes.requested(user.accessToken, freshAddress());
    expect(await changes.confirm(undo)).toMatchObject(DEAD);
    expect(await changes.undo(token)).toMatchObject(DEAD);
    for (const bad of ['lke_unknown', undo.slice(0, -1), undo.slice(4)]) {
      expect(await changes.undo(bad)).toMatchObject(DEAD);
    }
  });
});

it('the secrets of both links are in the mails, and only their digests in the database', async () => {
  const user = await service.signedIn();
  const { token } = await changes.requested(user.accessToken);
  await changes.confirm(token);
  const undo = await changes.tokenTo(user.email, '/undo-email-change');
  const found = await service.sql(
    'SELECT user_id FROM email_changes WHERE token_digest = sha256($1) AND undo_digest = sha256($2)',
    [Buffer.from(token), Buffer.from(undo)],
  );
  expect(found).toEqual([{ user_id: user.id }]);
});
