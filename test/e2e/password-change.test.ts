import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { PASSWORD, type TestUser } from '../support/test-users.js';

const NEW_PASSWORD = 'seven owls over the harbour';
const UNAUTHORIZED = { status: 401, code: 'unauthorized' };
const INVALID = { status: 400, code: 'validation_error' };

let sink: SmtpSink;
let service: TestService;
beforeAll(async () => {
  sink = await startSmtpSink();
  const env = { SMTP_URL: sink.url, MAIL_FROM: 'no-reply@example.com', PASSWORD_BLOCKLIST: 'on' };
  service = await startTestService({ env });
});
afterAll(async () => {
  await service.stop();
  await sink.stop();
});

const change = (token: string | undefined, fields: Record<string, unknown> = {}) =>
  service.api('POST', '/auth/password/change', {
    token,
    body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, ...fields },
  });
const signIn = ({ email }: Pick<TestUser, 'email'>, password: string) =>
  service.api('POST', '/auth/login', { body: { email, password } });
const me = (token: string) => service.api('GET', '/auth/me', { token });
const refresh = (refreshToken: string) => service.api('POST', '/auth/refresh', { body: { refreshToken } });

describe('a changed password', () => {
  it('a changed password is the only one that signs in from then on', async () => {
    const user = await service.signedIn();
    expect((await change(user.accessToken)).data).toEqual({ status: 'ok' });
    expect(await signIn(user, PASSWORD)).toMatchObject(UNAUTHORIZED);
    expect((await signIn(user, NEW_PASSWORD)).status).toBe(200);
  });

  it('a changed password ends all other sessions of the user and not the one that changed it', async () => {
    const user = await service.signedIn();
    const stranger = await service.signedIn();
    const others = [await service.signIn(user), await service.signIn(user)];
    await change(user.accessToken);
    for (const { accessToken, refreshToken } of others) {
      expect(await me(accessToken)).toMatchObject({ status: 401, code: 'session_revoked' });
      expect(await refresh(refreshToken)).toMatchObject({ status: 401, code: 'session_revoked' });
    }
    expect((await me(user.accessToken)).status).toBe(200);
    expect((await refresh(user.refreshToken)).status).toBe(200);
    expect((await me(stranger.accessToken)).status).toBe(200);
  });

  it('a changed password is reported to the user by mail, without a link', async () => {
    const user = await service.signedIn();
    await change(user.accessToken);
    const mail = await sink.waitForMessage(({ to }) => to.includes(user.email));
    expect(mail.subject).toContain('password was changed');
    expect(mail.text).not.toMatch(/https?:\/\//);
    expect(mail.html).not.toMatch(/href=/i);
  });

  it('a changed password is audited with the user and the session', async () => {
    const user = await service.signedIn();
    const answer = await change(user.accessToken);
    const rows = await service.sql(
      `SELECT outcome, actor, subject_user_id, request_id FROM auth_audit_logs
       WHERE event = 'password_changed' AND actor_user_id = $1`,
      [user.id],
    );
    expect(rows).toEqual([
      {
        outcome: 'success',
        actor: 'user',
        subject_user_id: user.id,
        request_id: answer.headers['x-request-id'],
      },
    ]);
  });

  it('a changed password comes from one of two simultaneous changes', async () => {
    const user = await service.signedIn();
    const inputs = [`${NEW_PASSWORD} one`, `${NEW_PASSWORD} two`];
    const answers = await Promise.all(inputs.map((newPassword) => change(user.accessToken, { newPassword })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const loser = answers.find(({ status }) => status !== 200);
    expect(['conflict', 'unauthorized', 'rate_limited']).toContain(loser?.code);
    const logins = await Promise.all(inputs.map((password) => signIn(user, password)));
    expect(logins.map(({ status }) => status)).toEqual(
      answers.map(({ status }) => (status === 200 ? 200 : 401)),
    );
  });
});

describe('changing a password is refused', () => {
  it('changing a password is refused without the current one', async () => {
    const user = await service.signedIn();
    const other = await service.signIn(user);
    const answer = await change(user.accessToken, { currentPassword: 'a wrong password' });
    expect(answer).toMatchObject(UNAUTHORIZED);
    expect((await signIn(user, PASSWORD)).status).toBe(200);
    expect((await me(other.accessToken)).status).toBe(200);
  });

  it('changing a password is refused without a token, whatever the body contains', async () => {
    expect(await change(undefined)).toMatchObject(UNAUTHORIZED);
    expect(await service.api('POST', '/auth/password/change', { raw: 'no JSON' })).toMatchObject(
      UNAUTHORIZED,
    );
  });

  it('changing a password is refused for an account that has none', async () => {
    const user = await service.createUser({ password: null });
    const minted = await service.machine('POST', `/internal/admin/users/${user.id}/sessions`);
    expect(minted.status).toBe(201);
    expect(await change(minted.data.accessToken)).toMatchObject(UNAUTHORIZED);
  });

  it.each([
    ['too short', '1234567'],
    ['too long', 'p'.repeat(257)],
    ['with a NUL', 'abcdefgh\0'],
    ['a common one', 'password1'],
    ['the name of the product', 'latchkey'],
    ['no text', 12345678],
    ['nothing', undefined],
  ])('changing a password is refused for a new one that is %s', async (_what, newPassword) => {
    const user = await service.signedIn();
    const answer = await change(user.accessToken, { newPassword });
    expect(answer).toMatchObject(INVALID);
    expect(answer.message).toMatch(/assword/);
    expect((await signIn(user, PASSWORD)).status).toBe(200);
  });

  it('changing a password is refused for a new one that is the local part of the email', async () => {
    const user = await service.signedIn({ email: 'unmistakable@example.com' });
    expect(await change(user.accessToken, { newPassword: 'Unmistakable' })).toMatchObject(INVALID);
  });
});
