import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedInUser } from '../support/minted-token.js';
import { NEW_PASSWORD, ResetClient } from '../support/reset-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

const BAD_TOKEN = { status: 400, code: 'validation_error' };
const OK = { status: 200, data: { status: 'ok' } };

let service: TestService;
let resets: ResetClient;
beforeAll(async () => {
  service = await startTestService({ smtp: true, env: { AUTH_BASE_URL: 'https://auth.example.org' } });
  resets = new ResetClient(service);
});
afterAll(() => service.stop());

describe('the token', () => {
  it('a reset token sets the new password, returns no tokens, and ends everything the old one opened', async () => {
    const user = await signedInUser(service);
    const { refreshToken, token: accessToken } = user;
    const resetToken = await resets.tokenFor(user.email);
    expect(await resets.confirm(resetToken)).toMatchObject({ status: 200, data: { status: 'ok' } });
    expect(await resets.login(user.email, user.password)).toMatchObject({
      status: 401,
      code: 'unauthorized',
    });
    expect((await resets.login(user.email, NEW_PASSWORD)).status).toBe(200);
    const me = await service.api('GET', '/auth/me', { token: accessToken });
    expect(me).toMatchObject({ status: 401, code: 'session_revoked' });
    const refreshed = await service.api('POST', '/auth/refresh', { body: { refreshToken } });
    expect(refreshed).toMatchObject({ status: 401, code: 'session_revoked' });
    const [session] = await service.sql(
      'SELECT revoke_reason FROM sessions WHERE user_id = $1 AND is_revoked',
      [user.id],
    );
    expect(session).toEqual({ revoke_reason: 'password_reset' });
  });

  it('a reset is reported to the owner by a mail without a link', async () => {
    const { email, token } = await resets.userWithToken();
    await resets.confirm(token);
    const notice = await service.mailTo(email, 2);
    expect(notice.subject).toContain('password was changed');
    expect(notice.link).toBe('');
  });

  it('a reset token works once', async () => {
    const { email, token } = await resets.userWithToken();
    expect(await resets.confirm(token)).toMatchObject(OK);
    expect(await resets.confirm(token, 'yet another password')).toMatchObject(BAD_TOKEN);
    expect((await resets.login(email, NEW_PASSWORD)).status).toBe(200);
  });

  it('a reset token is refused when it is unknown, damaged or no text, and the password stays', async () => {
    const { id, token } = await resets.userWithToken();
    const before = await resets.stateOf(id);
    for (const bad of [`lkp_${'A'.repeat(43)}`, token.slice(0, -1), `${token}x`, token.slice(4), ' ', 'ä']) {
      expect(await resets.confirm(bad)).toMatchObject(BAD_TOKEN);
    }
    for (const body of [
      { newPassword: NEW_PASSWORD },
      { token },
      { token: 7, newPassword: NEW_PASSWORD },
      {},
    ]) {
      expect(await service.api('POST', '/auth/password-reset/confirm', { body })).toMatchObject(BAD_TOKEN);
    }
    expect(await resets.stateOf(id)).toEqual(before);
  });

  it('a reset token is refused when it has expired', async () => {
    const brief = await serviceForThisTest({ env: { PASSWORD_RESET_TTL: '60' }, smtp: true });
    const user = await brief.createUser();
    const token = await new ResetClient(brief).tokenFor(user.email);
    await brief.sql(`UPDATE password_reset_tokens SET expires_at = now()`);
    expect(await new ResetClient(brief).confirm(token)).toMatchObject(BAD_TOKEN);
    expect((await brief.signIn(user)).accessToken).toBeTypeOf('string');
  });

  it('a reset token stops working when another one of the same user is used', async () => {
    const { email, token: first } = await resets.userWithToken();
    const second = await resets.tokenFor(email);
    expect(await resets.confirm(first)).toMatchObject(OK);
    expect(await resets.confirm(second, 'yet another password')).toMatchObject(BAD_TOKEN);
    expect((await resets.login(email, NEW_PASSWORD)).status).toBe(200);
  });

  it('a reset token remains valid after a password that is too weak', async () => {
    const { email, token } = await resets.userWithToken();
    const refused = await resets.confirm(token, '7 chars');
    expect(refused).toMatchObject(BAD_TOKEN);
    expect(refused.message).toContain('newPassword');
    expect(await resets.confirm(token)).toMatchObject(OK);
    expect((await resets.login(email, NEW_PASSWORD)).status).toBe(200);
  });

  it('a reset token removes every passkey of the user, and no passkey of another user', async () => {
    const [user, other] = [await resets.userWithToken(), await service.createUser()];
    for (const { id } of [user, other]) await insertPasskey(id);
    await resets.confirm(user.token);
    const left = await service.sql('SELECT user_id FROM passkey_credentials WHERE user_id = ANY($1)', [
      [user.id, other.id],
    ]);
    expect(left).toEqual([{ user_id: other.id }]);
  });

  it('a reset token gives a password to a user who has none', async () => {
    const { email, token } = await resets.userWithToken({ password: null });
    expect(await resets.confirm(token)).toMatchObject(OK);
    expect((await resets.login(email, NEW_PASSWORD)).status).toBe(200);
  });

  it('a reset token opens no session for a user who was deactivated meanwhile', async () => {
    const { id, email, token } = await resets.userWithToken();
    await service.machine('DELETE', `/internal/admin/users/${id}`);
    expect(await resets.confirm(token)).toMatchObject(OK);
    expect(await resets.stateOf(id)).toMatchObject({ is_active: false, approval_status: 'APPROVED' });
    expect(await resets.login(email, NEW_PASSWORD)).toMatchObject({ status: 403, code: 'account_inactive' });
  });

  it('a reset token stops working when the user gets another email, and the new address gets no mail of the old', async () => {
    const { id, email, token } = await resets.userWithToken();
    const newEmail = `moved-${email}`;
    await service.machine('PATCH', `/internal/admin/users/${id}`, { body: { email: newEmail } });
    expect(await resets.confirm(token)).toMatchObject(BAD_TOKEN);
    expect(await resets.request(email)).toMatchObject(OK);
    await resets.allMailIsHandled();
    const links = service.mailsTo(email).filter(({ link }) => link.includes('/reset-password'));
    expect(links).toHaveLength(1);
    expect(service.mailsTo(newEmail)).toEqual([]);
  });

  it('a reset token leaves the sessions of others alone', async () => {
    const other = await signedInUser(service);
    const { token } = await resets.userWithToken();
    await resets.confirm(token);
    expect((await service.api('GET', '/auth/me', { token: other.token })).status).toBe(200);
  });
});

describe('simultaneous uses of reset tokens', () => {
  it('of twenty confirmations of one token exactly one wins, and only its password works', async () => {
    const { email, token } = await resets.userWithToken();
    const passwords = Array.from({ length: 20 }, (_, index) => `password number ${index}`);
    const answers = await Promise.all(passwords.map((password) => resets.confirm(token, password)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(19);
    const winner = statuses.indexOf(200);
    expect((await resets.login(email, passwords[winner] ?? '')).status).toBe(200);
    expect((await resets.login(email, passwords[(winner + 1) % 20] ?? '')).status).toBe(401);
  });

  it('of two tokens of one user one wins', async () => {
    const { email, token: first } = await resets.userWithToken();
    const second = await resets.tokenFor(email);
    const answers = await Promise.all([
      resets.confirm(first, 'the first password'),
      resets.confirm(second, 'the second one'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('a sign-in with the old password leaves no session behind a reset', async () => {
    const user = await resets.userWithToken();
    await Promise.all([
      resets.confirm(user.token),
      ...[1, 2, 3].map(() => resets.login(user.email, user.password)),
    ]);
    const live = await service.sql('SELECT id FROM sessions WHERE user_id = $1 AND NOT is_revoked', [
      user.id,
    ]);
    expect(live).toEqual([]);
  });

  it('a reset that overtakes a waiting request leaves that request without a mail', async () => {
    const { id, email, token } = await resets.userWithToken();
    const asked = new Date();
    await resets.confirm(token);
    await service.mailTo(email, 2);
    await service.sql(
      `INSERT INTO mail_outbox (id, kind, recipient, payload, created_at)
       VALUES (gen_random_uuid(), 'password_reset', $1, $2, $3)`,
      [email, JSON.stringify({ userId: id, fullName: null }), asked],
    );
    await resets.allMailIsHandled();
    expect(service.mailsTo(email)).toHaveLength(2);
  });
});

it('the reset token is in the mail and nowhere in the database', async () => {
  const { token } = await resets.userWithToken();
  expect(await columnsHolding(service, token.slice(4))).toEqual([]);
  const [row] = await service.sql(
    `SELECT octet_length(token_digest) AS bytes FROM password_reset_tokens WHERE token_digest = sha256($1)`,
    [Buffer.from(token)],
  );
  expect(row).toEqual({ bytes: 32 });
});

it('both steps of a reset are audited, with their user', async () => {
  const { id, token } = await resets.userWithToken();
  await resets.confirm(token);
  const rows = await service.sql(
    `SELECT event, outcome, actor, actor_user_id, ip_address FROM auth_audit_logs
     WHERE subject_user_id = $1 ORDER BY occurred_at, id`,
    [id],
  );
  expect(rows).toEqual([
    {
      event: 'password_reset_requested',
      outcome: 'success',
      actor: 'anonymous',
      actor_user_id: null,
      ip_address: '127.0.0.1',
    },
    {
      event: 'password_reset_confirmed',
      outcome: 'success',
      actor: 'user',
      actor_user_id: id,
      ip_address: '127.0.0.1',
    },
  ]);
});

async function insertPasskey(userId: string): Promise<void> {
  await service.sql(
    `INSERT INTO passkey_credentials (id, user_id, credential_id, public_key, device_type, backed_up, name)
     VALUES (gen_random_uuid(), $1::uuid, 'credential-of-' || $1::text, '\\x01', 'singleDevice', false, 'Key')`,
    [userId],
  );
}

/** Returns every column of the database whose values contain a text. */
async function columnsHolding(on: TestService, text: string): Promise<string[]> {
  const columns = await on.sql(
    `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  const found: string[] = [];
  for (const { table_name: table, column_name: column } of columns) {
    const rows = await on.sql(
      `SELECT 1 FROM "${String(table)}" WHERE position($1 IN "${String(column)}"::text) > 0 LIMIT 1`,
      [text],
    );
    if (rows.length > 0) found.push(`${String(table)}.${String(column)}`);
  }
  return found;
}
