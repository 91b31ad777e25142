import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestOf } from '../../packages/core/src/kernel/secret.js';
import { AuthenticatorApp, enrol, enrolledUser, signInWithCode } from '../support/authenticator-app.js';
import { signedInUser } from '../support/minted-token.js';
import { PASSKEY_ENV, registerPasskey, signInWithPasskey } from '../support/passkey-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: PASSKEY_ENV });
});
afterAll(() => service.stop());

const CHALLENGE = 'Bearer error="insufficient_user_authentication", acr_values="aal2", max_age=900';

const begin = (token: string, body: object = {}) =>
  service.api('POST', '/auth/factors/totp', { token, body });
const confirm = (token: string, id: string, code: string) =>
  service.api('POST', `/auth/factors/totp/${id}/confirm`, { token, body: { code } });
const factorsOf = async (token: string) => (await service.api('GET', '/auth/factors', { token })).data;
const age = (userId: string) =>
  service.sql(`UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1`, [userId]);
const eventsOf = async (userId: string) =>
  (
    await service.sql('SELECT event FROM auth_audit_logs WHERE subject_user_id = $1 ORDER BY id', [userId])
  ).map(({ event }) => event);

/** Refreshes the tokens of the user's last session, so that the access token has its current times. */
async function refreshed(refreshToken: string): Promise<string> {
  return (await service.api('POST', '/auth/refresh', { body: { refreshToken } })).data.accessToken;
}

describe('adding an authenticator app', () => {
  it('an enrolment shows its secret as text, address and QR code, and expires in ten minutes', async () => {
    const { accessToken, email } = await service.signedIn();
    const { status, data } = await begin(accessToken, { name: ' Phone ' });
    expect(status).toBe(201);
    const { secret, otpauthUri, qrSvg, expiresAt } = data as unknown as Record<string, string>;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(otpauthUri).toContain(`otpauth://totp/Latchkey:${encodeURIComponent(email)}?`);
    expect(otpauthUri).toContain(`secret=${secret}`);
    expect(qrSvg).toMatch(/^<svg /);
    const seconds = (Date.parse(expiresAt ?? '') - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(500);
    expect(seconds).toBeLessThanOrEqual(605);
    expect(await factorsOf(accessToken)).toEqual({ factors: [], recoveryCodesLeft: 0, isRequired: false });
  });

  it('a code confirms it, and ten recovery codes come with the first app only', async () => {
    const user = await service.signedIn();
    const { id, accessToken, email } = user;
    const first = await enrol(service, accessToken);
    expect(first.recoveryCodes).toHaveLength(10);
    expect(await factorsOf(accessToken)).toMatchObject({
      factors: [{ id: first.factorId, kind: 'totp', name: 'Phone' }],
      recoveryCodesLeft: 10,
    });
    expect((await service.mailTo(email)).subject).toBe('A second factor was added to your Latchkey account');
    expect(await eventsOf(id)).toContain('factor_added');
    const strong = await signInWithCode(service, { ...user, ...first });
    expect((await enrol(service, strong.accessToken)).recoveryCodes).toEqual([]);
  });

  it('wrong codes are rejected, and ten in a row end the session', async () => {
    const { accessToken, id: userId } = await service.signedIn();
    const { data } = await begin(accessToken);
    const { id = '', secret = '' } = data as unknown as Record<string, string>;
    const wrong = new AuthenticatorApp(secret).wrong();
    for (let guess = 0; guess < 9; guess += 1) {
      expect(await confirm(accessToken, id, wrong)).toMatchObject({ status: 401, code: 'unauthorized' });
    }
    expect(await confirm(accessToken, id, wrong)).toMatchObject({ status: 401, code: 'session_revoked' });
    expect(await eventsOf(userId)).toContain('factor_confirmation');
  });

  it('an enrolment of another session, and an expired one, cannot be confirmed', async () => {
    const user = await service.createUser();
    const [one, two] = [await service.signIn(user), await service.signIn(user)];
    const { data } = await begin(one.accessToken);
    const { id = '', secret = '' } = data as unknown as Record<string, string>;
    const app = new AuthenticatorApp(secret);
    expect((await confirm(two.accessToken, id, app.codeAt(0))).status).toBe(404);
    await service.sql('UPDATE totp_factors SET expires_at = now() WHERE id = $1', [id]);
    expect((await confirm(one.accessToken, id, app.codeAt(0))).status).toBe(404);
  });

  it('of two that were begun the first that is confirmed wins', async () => {
    const { accessToken } = await service.signedIn();
    const begun = [(await begin(accessToken)).data, (await begin(accessToken)).data] as unknown as Record<
      string,
      string
    >[];
    const [one, two] = begun.map(({ id = '', secret = '' }) => ({ id, app: new AuthenticatorApp(secret) }));
    expect((await confirm(accessToken, one?.id ?? '', one?.app.codeAt(0) ?? '')).status).toBe(200);
    // The session has one factor, so it may not add another one.
    expect((await confirm(accessToken, two?.id ?? '', two?.app.codeAt(1) ?? '')).status).toBe(401);
    expect(await service.sql('SELECT 1 FROM totp_factors WHERE id = $1', [two?.id])).toEqual([]);
  });

  it('a sign-in of more than 15 minutes ago, and a minted session, add none', async () => {
    const { id, refreshToken } = await service.signedIn();
    await age(id);
    const answer = await begin(await refreshed(refreshToken));
    expect(answer).toMatchObject({ status: 401, code: 'reauthentication_required' });
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_user_authentication", max_age=900',
    );
    const { token } = await signedInUser(service);
    expect(await begin(token)).toMatchObject({ status: 401, code: 'reauthentication_required' });
  });
});

describe('changing factors where one is enrolled', () => {
  it('a session with one factor adds, removes and renews nothing', async () => {
    const user = await enrolledUser(service);
    const requests = [
      await begin(user.accessToken),
      await service.api('DELETE', `/auth/factors/${user.factorId}`, { token: user.accessToken }),
      await service.api('POST', '/auth/factors/recovery-codes', { token: user.accessToken }),
    ];
    for (const answer of requests) {
      expect(answer).toMatchObject({ status: 401, code: 'reauthentication_required' });
      expect(answer.headers['www-authenticate']).toBe(CHALLENGE);
    }
    expect(await factorsOf(user.accessToken)).toMatchObject({ recoveryCodesLeft: 10 });
  });

  it('a session with two factors renews the codes and removes the factor, and the codes with it', async () => {
    const user = await enrolledUser(service);
    const { accessToken: token } = await signInWithCode(service, user);
    const renewed = await service.api('POST', '/auth/factors/recovery-codes', { token });
    expect(renewed.status, renewed.text).toBe(200);
    const { recoveryCodes } = renewed.data as unknown as { recoveryCodes: string[] };
    expect(new Set([...recoveryCodes, ...user.recoveryCodes]).size).toBe(20);
    const removed = await service.api('DELETE', `/auth/factors/${user.factorId}`, { token });
    expect(removed.data).toEqual({ status: 'ok' });
    expect(await factorsOf(token)).toEqual({ factors: [], recoveryCodesLeft: 0, isRequired: false });
    expect((await service.mailTo(user.email, 2)).subject).toContain('was removed');
    expect(await eventsOf(user.id)).toEqual(
      expect.arrayContaining(['recovery_codes_renewed', 'factor_removed']),
    );
    expect(await service.signIn(user)).toHaveProperty('accessToken');
  });

  it('a sign-in with two factors of more than 15 minutes ago removes nothing', async () => {
    const user = await enrolledUser(service);
    const { refreshToken } = await signInWithCode(service, user);
    await age(user.id);
    const token = await refreshed(refreshToken);
    const answer = await service.api('DELETE', `/auth/factors/${user.factorId}`, { token });
    expect(answer).toMatchObject({ status: 401, code: 'reauthentication_required' });
  });

  it('factors of others are unknown', async () => {
    const [ann, bob] = [await enrolledUser(service), await enrolledUser(service)];
    const { accessToken: token } = await signInWithCode(service, bob);
    expect((await service.api('DELETE', `/auth/factors/${ann.factorId}`, { token })).status).toBe(404);
    expect(await factorsOf(ann.accessToken)).toMatchObject({ factors: [{ id: ann.factorId }] });
  });

  it('an owner of a passkey adds an app after a sign-in with it only', async () => {
    const user = await service.createUser();
    const { accessToken: token } = await service.signIn(user);
    const authenticator = new SoftwareAuthenticator();
    expect((await registerPasskey(service, { ...user, token }, authenticator)).status).toBe(201);
    expect(await begin(token)).toMatchObject({ status: 401, code: 'reauthentication_required' });
    const { data } = await signInWithPasskey(service, authenticator);
    expect((await enrol(service, data.accessToken)).recoveryCodes).toHaveLength(10);
  });

  it('recovery codes need an app', async () => {
    const { accessToken: token } = await service.signedIn();
    const answer = await service.api('POST', '/auth/factors/recovery-codes', { token });
    expect(answer).toMatchObject({ status: 409, code: 'conflict' });
  });
});

describe('the loss of all factors', () => {
  const reset = (id: string, token: string, reason: unknown = 'lost phone') =>
    service.api('DELETE', `/internal/users/${id}/factors`, { token, body: { reason } });

  it('a superadmin removes the factors of a user: sessions end, a mail is sent, the reason is kept', async () => {
    const user = await enrolledUser(service);
    const admin = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    const answer = await reset(user.id, admin.token, ' lost phone ');
    expect(answer.data).toEqual({
      status: 'ok',
      removed: { totp: 1, recoveryCodes: 10, passkeys: 0 },
      revoked: 1,
    });
    expect(await service.api('GET', '/auth/me', { token: user.accessToken })).toMatchObject({
      status: 401,
      code: 'session_revoked',
    });
    expect((await service.mailTo(user.email, 2)).subject).toBe(
      'The second factors of your Latchkey account were removed',
    );
    const [row] = await service.sql(
      `SELECT actor_user_id, details FROM auth_audit_logs WHERE subject_user_id = $1 AND event = 'factors_reset'`,
      [user.id],
    );
    expect(row).toMatchObject({
      actor_user_id: admin.id,
      details: { statedReason: 'lost phone', reason: 'factors_reset', revoked: 1 },
    });
    expect(await service.signIn(user)).toHaveProperty('accessToken');
  });

  it.each(['PLATFORM_ADMIN', 'PLATFORM_MODERATOR', 'NONE'] as const)('%s removes none', async (role) => {
    const user = await enrolledUser(service);
    const { token } = await signedInUser(service, { role });
    expect((await reset(user.id, token)).status).toBe(403);
    expect(await factorsOf(user.accessToken)).toMatchObject({ recoveryCodesLeft: 10 });
  });

  it('a superadmin does not remove their own factors in this way, and no one without a reason', async () => {
    const admin = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    const user = await service.createUser();
    expect((await reset(admin.id, admin.token)).status).toBe(403);
    expect((await reset(user.id, admin.token, ' ')).status).toBe(400);
    expect((await reset('01a1f913-5d14-7023-b417-5c4708406d9b', admin.token)).status).toBe(404);
  });
});

it('a dump of the tables contains no secret, in no encoding, and nothing that confirms a recovery code', async () => {
  const user = await service.signedIn();
  const { data } = await begin(user.accessToken, { name: 'Dumped' });
  const { id = '', secret = '' } = data as unknown as Record<string, string>;
  const app = new AuthenticatorApp(secret);
  const confirmed = await confirm(user.accessToken, id, app.next());
  const { recoveryCodes } = confirmed.data as unknown as { recoveryCodes: string[] };
  const tables = [
    'totp_factors',
    'recovery_codes',
    'second_factor_challenges',
    'auth_audit_logs',
    'mail_outbox',
  ];
  let dump = '';
  for (const table of tables) {
    const rows = await service.sql(`SELECT row_to_json(t)::text AS row FROM ${table} t`);
    dump += rows.map(({ row }) => String(row)).join('\n');
  }
  expect(dump).toContain(id);
  const bytes = Buffer.from(secretBytes(secret));
  const forms = [
    secret,
    bytes.toString('hex'),
    bytes.toString('base64').slice(0, 20),
    bytes.toString('base64url'),
  ];
  const codes = recoveryCodes.flatMap((code) => [
    code,
    code.replaceAll('-', ''),
    Buffer.from(code).toString('hex'),
    Buffer.from(code.replaceAll('-', '')).toString('hex'),
  ]);
  // A digest that anyone can compute confirms a guess.
  const digests = recoveryCodes.map((code) => digestOf(code.replaceAll('-', '')).toString('hex'));
  for (const form of [...forms, ...codes, ...digests])
    expect(dump.toLowerCase()).not.toContain(form.toLowerCase());
});

/** Decodes base32 (RFC 4648 section 6). */
function secretBytes(text: string): number[] {
  const bits = Array.from(text)
    .map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
    .join('');
  return (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
}
