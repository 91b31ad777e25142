import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { AuthError, unknownClient, type SignInResult, type TokenPair } from '@latchkey/core';
import { createTestAuth, type TestAuth } from '@latchkey/testing';
import { AuthenticatorApp, enrol } from '../support/authenticator-app.js';
import { PASSKEY_ENV, registerPasskey, signInWithPasskey } from '../support/passkey-client.js';
import { serviceForThisTest } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { provedByFactor } from '../support/step-up-client.js';
import { waitUntil } from '../support/wait-until.js';

let kit: TestAuth;
let sql: pg.Pool;
const asked: unknown[] = [];
/** Changes the account while its sign-in runs. */
let meanwhile: ((userId: string) => Promise<unknown>) | undefined;
const OPERATOR = { kind: 'operator', name: 'tests' } as const;
const LINK = { method: 'mailed link', amr: ['otp'] } as const;

beforeAll(async () => {
  kit = await createTestAuth({
    databaseUrl: inject('postgres').url,
    before: {
      login: async ({ user, method }) => {
        asked.push(method);
        await meanwhile?.(user.id);
        if (user.email.startsWith('refused'))
          throw AuthError.forbidden('Not from here.', 'app.not_from_here');
      },
    },
  });
  sql = new pg.Pool({ connectionString: kit.databaseUrl, max: 1 });
  kit.onClose(() => sql.end());
});
afterAll(() => kit.close());

function tokensOf(result: SignInResult): TokenPair {
  if ('accessToken' in result) return result;
  throw new Error('The sign-in waits for a second factor.');
}
function challengeOf(result: SignInResult): string {
  if ('secondFactor' in result) return result.secondFactor.challenge;
  throw new Error('The sign-in is complete.');
}

/** A user of another system: without a password. */
async function withoutPassword(email = `user-${crypto.randomUUID()}@example.com`): Promise<string> {
  const fields = { email, fullName: 'Ada Berg', authProvider: 'other', approvalStatus: 'APPROVED' } as const;
  return (await kit.auth.admin.users.create(OPERATOR, { ...fields, isActive: true })).id;
}

async function signedIn(userId: string) {
  const { accessToken } = tokensOf(await kit.auth.signIn.begin({ userId, ...LINK }));
  return kit.auth.authenticator.authenticate(accessToken);
}

/** Adds an authenticator app to the account of a caller. */
async function enrolled(userId: string): Promise<AuthenticatorApp> {
  const caller = await signedIn(userId);
  const begun = await kit.auth.factors?.own.begin(caller);
  const app = new AuthenticatorApp(begun?.secret ?? '');
  await kit.auth.factors?.own.confirm(caller, begun?.id ?? '', app.next());
  return app;
}

const rows = async (userId: string, event: string) =>
  (
    await sql.query<{ outcome: string; details: Record<string, unknown> }>(
      'SELECT outcome, details FROM auth_audit_logs WHERE subject_user_id = $1 AND event = $2 ORDER BY occurred_at, id',
      [userId, event],
    )
  ).rows;

describe('a way to sign in of the app itself', () => {
  it('has the session, the claims, the hook and the audit row of any sign-in', async () => {
    const userId = await withoutPassword();
    const client = { ...unknownClient, ipAddress: '203.0.113.9', deviceName: 'Phone' };
    asked.length = 0;
    const tokens = tokensOf(await kit.auth.signIn.begin({ userId, ...LINK, client }));
    const caller = await kit.auth.authenticator.authenticate(tokens.accessToken);
    expect(caller).toMatchObject({ userId, amr: ['otp'], acr: 'aal1' });
    expect(asked).toEqual(['mailed link']);
    const { items } = await kit.auth.sessions.listOwn(caller);
    expect(items).toMatchObject([{ origin: 'app', ipAddress: '203.0.113.9', deviceName: 'Phone' }]);
    expect(await rows(userId, 'login')).toEqual([{ outcome: 'success', details: { method: 'mailed link' } }]);
    const next = await kit.auth.refresh.refresh(tokens.refreshToken);
    expect(await kit.auth.authenticator.authenticate(next.accessToken)).toMatchObject({ amr: ['otp'] });
  });

  it('mails the user about a device that is new', async () => {
    const email = 'mailed@example.com';
    const userId = await withoutPassword(email);
    await kit.auth.signIn.begin({
      userId,
      ...LINK,
      client: { ...unknownClient, ipAddress: '203.0.113.1', deviceName: 'A' },
    });
    await kit.auth.signIn.begin({
      userId,
      ...LINK,
      client: { ...unknownClient, ipAddress: '198.51.100.1', deviceName: 'B' },
    });
    await kit.mail.waitFor(email, 'new_device');
  });

  it.each([
    ['a deactivated user', { isActive: false }, 'account_inactive'],
    ['a rejected user', { approvalStatus: 'REJECTED' }, 'registration_rejected'],
  ] as const)('%s gets no session, and the log has the reason', async (_who, patch, code) => {
    const userId = await withoutPassword();
    await kit.auth.admin.users.patch(OPERATOR, userId, patch);
    await expect(kit.auth.signIn.begin({ userId, ...LINK })).rejects.toMatchObject({ code });
    const details = { method: 'mailed link', reason: code };
    expect(await rows(userId, 'login')).toEqual([{ outcome: 'denied', details }]);
  });

  it('the hook of the app can refuse it, with a reason of its own', async () => {
    const userId = await withoutPassword('refused@example.com');
    const refused = kit.auth.signIn.begin({ userId, ...LINK });
    await expect(refused).rejects.toMatchObject({ code: 'forbidden', reason: 'app.not_from_here' });
  });

  it('an unknown user is not found', async () => {
    const unknown = kit.auth.signIn.begin({ userId: crypto.randomUUID(), ...LINK });
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['methods of the service', { amr: ['pwd'] }, /amr.*must be one of face, fed/],
    ['the methods of a passkey', { amr: ['otp', 'hwk'] }, /amr/],
    ['the method of two factors', { amr: ['mfa'] }, /amr/],
    ['no method', { amr: [] }, /amr.*at least one/],
    ['a name with an address', { method: 'https://evil.example' }, /method.*must be a name/],
    ['an empty name', { method: ' ' }, /method/],
    ['a level that does not exist', { acr: 'aal3' }, /acr/],
    ['an id that is none', { userId: 'ann' }, /userId.*must be a UUID/],
    ['an unknown key', { mfa: true }, /mfa/],
  ])('%s: refused before anything is written', async (_what, wrong, message) => {
    const userId = await withoutPassword();
    const input = { userId, ...LINK, ...wrong } as unknown as Parameters<typeof kit.auth.signIn.begin>[0];
    await expect(kit.auth.signIn.begin(input)).rejects.toMatchObject({
      code: 'validation_error',
      message: expect.stringMatching(message) as string,
    });
    expect(await rows(userId, 'login')).toEqual([]);
  });
});

describe('the second factor of a user who signs in through the app', () => {
  it('is asked for, and the session has the methods of both', async () => {
    const userId = await withoutPassword();
    const app = await enrolled(userId);
    const challenge = challengeOf(await kit.auth.signIn.begin({ userId, ...LINK }));
    const tokens = await kit.auth.factors?.signIn.complete({ challenge, code: app.next() });
    const caller = await kit.auth.authenticator.authenticate(tokens?.accessToken ?? '');
    expect(caller).toMatchObject({ amr: ['otp', 'mfa'], acr: 'aal2' });
    const [, completed] = await rows(userId, 'login');
    expect(completed?.details).toMatchObject({ method: 'mailed link', secondFactor: 'totp' });
  });

  it('is not asked for after a proof of two factors', async () => {
    const userId = await withoutPassword();
    await enrolled(userId);
    const tokens = tokensOf(
      await kit.auth.signIn.begin({ userId, method: 'sso', amr: ['fed'], acr: 'aal2' }),
    );
    expect(await kit.auth.authenticator.authenticate(tokens.accessToken)).toMatchObject({ acr: 'aal2' });
  });

  it.each([
    [
      'the address',
      (id: string) => kit.auth.admin.users.patch(OPERATOR, id, { email: `new-${id}@example.com` }),
    ],
    [
      'the role',
      (id: string) => kit.auth.admin.users.patch(OPERATOR, id, { globalRole: 'PLATFORM_MODERATOR' }),
    ],
    ['the activity', (id: string) => kit.auth.admin.users.patch(OPERATOR, id, { isActive: false })],
  ])('a sign-in that waits for it fails once %s changes', async (_what, change) => {
    const userId = await withoutPassword();
    const app = await enrolled(userId);
    const challenge = challengeOf(await kit.auth.signIn.begin({ userId, ...LINK }));
    await change(userId);
    const completed = kit.auth.factors?.signIn.complete({ challenge, code: app.next() });
    await expect(completed).rejects.toMatchObject({ code: 'unauthorized', reason: 'challenge_invalid' });
  });

  it('a sign-in by password that waits for it fails once the password changes', async () => {
    const { id, email, password } = await kit.user();
    const app = await enrolled(id);
    const challenge = challengeOf(await kit.auth.login.withPassword({ email, password }));
    await kit.auth.admin.passwords.set(OPERATOR, id, { password: 'another long walk home' });
    const completed = kit.auth.factors?.signIn.complete({ challenge, code: app.next() });
    await expect(completed).rejects.toMatchObject({ reason: 'challenge_invalid' });
  });
});

describe('a sign-in that proves the mailbox', () => {
  const MAILED = { ...LINK, provesMailbox: true };

  /** A user who never proved the mailbox. */
  async function unproved(): Promise<string> {
    const userId = await withoutPassword();
    await sql.query('UPDATE users SET email_verified_at = NULL WHERE id = $1', [userId]);
    return userId;
  }
  const verifiedAt = async (userId: string) => (await kit.auth.admin.users.get(userId)).emailVerifiedAt;

  it('ends the session, the password and the factors of a stranger who registered the address', async () => {
    const env = { ...PASSKEY_ENV, REGISTRATION_APPROVAL: 'none', PUBLIC_REGISTRATION_ENABLED: 'true' };
    const service = await serviceForThisTest({ env });
    const credentials = { email: 'owner@example.com', password: 'the password of a stranger' };
    await service.api('POST', '/auth/register', { body: { ...credentials, fullName: 'Ada Berg' } });
    const { data: stranger } = await service.api('POST', '/auth/login', { body: credentials });
    const { id: userId } = await service.auth.admin.users.getByEmail(credentials.email);
    await enrol(service, stranger.accessToken);
    const proved = await provedByFactor(service, { ...stranger, token: stranger.accessToken });
    const key = new SoftwareAuthenticator();
    const added = await registerPasskey(service, { ...credentials, token: proved.token }, key);
    expect(added.status, added.text).toBe(201);

    const result = await service.auth.signIn.begin({ userId, ...MAILED });
    const owner = await service.auth.authenticator.authenticate(tokensOf(result).accessToken);
    expect(owner).toMatchObject({ userId, amr: ['otp'] });
    expect(owner.user.emailVerifiedAt).toBeInstanceOf(Date);
    for (const token of [stranger.accessToken, proved.token])
      expect(await service.api('GET', '/auth/me', { token })).toMatchObject({ status: 401 });
    expect(await service.api('POST', '/auth/login', { body: credentials })).toMatchObject({ status: 401 });
    expect((await signInWithPasskey(service, key)).status).toBe(401);
    for (const table of ['totp_factors', 'recovery_codes', 'passkey_credentials'])
      expect(await service.sql(`SELECT id FROM ${table} WHERE user_id = $1`, [userId]), table).toEqual([]);
    const [audited] = await service.sql(
      `SELECT details FROM auth_audit_logs WHERE subject_user_id = $1 AND event = 'email_verified'`,
      [userId],
    );
    const details = { method: 'mailed link', removedApps: 1, removedPasskeys: 1 };
    expect(audited).toMatchObject({ details });
    const subjects = () => service.mailsTo(credentials.email).map(({ subject }) => subject);
    for (const notice of [/password was changed/, /second factor was removed/, /passkey was removed/])
      await waitUntil(() => subjects().find((subject) => notice.test(subject)), { what: String(notice) });

    const later = await service.auth.signIn.begin({ userId, ...MAILED });
    await service.auth.authenticator.authenticate(tokensOf(later).accessToken);
    await service.auth.authenticator.authenticate(tokensOf(result).accessToken);
  });

  it('leaves everything of an account whose mailbox was proved before', async () => {
    const { id: userId, email, password, accessToken } = await kit.user();
    await kit.auth.signIn.begin({ userId, ...MAILED });
    await kit.auth.authenticator.authenticate(accessToken);
    await kit.auth.login.withPassword({ email, password });
    expect(await rows(userId, 'email_verified')).toEqual([]);
  });

  it('without it the mailbox stays unproved', async () => {
    const userId = await unproved();
    await kit.auth.signIn.begin({ userId, ...LINK });
    expect(await verifiedAt(userId)).toBeUndefined();
  });

  it('opens an account that may sign in only with a proved mailbox', async () => {
    const required = await createTestAuth({
      databaseUrl: inject('postgres').url,
      settings: { EMAIL_VERIFICATION: 'required', REGISTRATION_APPROVAL: 'none' },
    });
    try {
      const email = 'ada@example.com';
      await required.auth.registration.register({
        email,
        password: 'a long walk home',
        fullName: 'Ada Berg',
      });
      const { id: userId } = await required.auth.admin.users.getByEmail(email);
      await expect(required.auth.signIn.begin({ userId, ...LINK })).rejects.toMatchObject({
        code: 'email_unverified',
      });
      tokensOf(await required.auth.signIn.begin({ userId, ...MAILED }));
    } finally {
      await required.close();
    }
  });

  it('approves no registration, and proves nothing of one', async () => {
    const userId = await unproved();
    await sql.query(`UPDATE users SET approval_status = 'PENDING' WHERE id = $1`, [userId]);
    const refused = kit.auth.signIn.begin({ userId, ...MAILED });
    await expect(refused).rejects.toMatchObject({ code: 'pending_approval' });
    expect(await verifiedAt(userId)).toBeUndefined();
  });

  it.each([
    [
      'the address',
      (id: string) => sql.query(`UPDATE users SET email = id || '@example.com' WHERE id = $1`, [id]),
    ],
    [
      'the role',
      (id: string) => kit.auth.admin.users.patch(OPERATOR, id, { globalRole: 'PLATFORM_MODERATOR' }),
    ],
  ])('is refused once %s changes meanwhile, and proves nothing', async (_what, change) => {
    const userId = await unproved();
    meanwhile = change;
    const refused = kit.auth.signIn.begin({ userId, ...MAILED });
    await expect(refused).rejects.toMatchObject({ reason: 'account_changed_during_sign_in' });
    meanwhile = undefined;
    expect(await verifiedAt(userId)).toBeUndefined();
  });
});

describe('a user without a password', () => {
  it('adds a passkey after a recent sign-in, and not later', async () => {
    const passkeys = await createTestAuth({
      databaseUrl: inject('postgres').url,
      settings: PASSKEY_ENV,
    });
    try {
      const fields = { fullName: 'Ada Berg', authProvider: 'other', approvalStatus: 'APPROVED' } as const;
      const { id: userId } = await passkeys.auth.admin.users.create(OPERATOR, {
        ...fields,
        email: 'ada@example.com',
        isActive: true,
      });
      const { accessToken } = tokensOf(await passkeys.auth.signIn.begin({ userId, ...LINK }));
      const caller = await passkeys.auth.authenticator.authenticate(accessToken);
      const options = await passkeys.auth.passkeys?.registration.options(caller, undefined);
      expect(options?.challenge).toBeTruthy();

      const old = { ...caller, authTime: caller.authTime - 3600 };
      await expect(passkeys.auth.passkeys?.registration.options(old, undefined)).rejects.toMatchObject({
        code: 'reauthentication_required',
      });
      const { accessToken: owned } = await passkeys.user();
      const owner = await passkeys.auth.authenticator.authenticate(owned);
      await expect(passkeys.auth.passkeys?.registration.options(owner, undefined)).rejects.toMatchObject({
        code: 'validation_error',
        message: expect.stringContaining('currentPassword') as string,
      });
    } finally {
      await passkeys.close();
    }
  });
});

describe('a proof of the app for a session', () => {
  it('raises it: a newer sign-in by more methods, at the level that it has', async () => {
    const { accessToken } = await kit.user();
    const { sessionId, userId, authTime } = await kit.auth.authenticator.authenticate(accessToken);
    await kit.clock.advance('1h');
    const raised = await kit.auth.stepUp.confirmedBy({ sessionId, method: 'sms code', amr: ['sms'] });
    const caller = await kit.auth.authenticator.authenticate(raised.accessToken);
    expect(caller).toMatchObject({ amr: ['pwd', 'sms', 'user'], acr: 'aal1', sessionId });
    expect(caller.authTime).toBeGreaterThanOrEqual(authTime + 3600);
    expect(await rows(userId, 'step_up')).toEqual([{ outcome: 'success', details: { method: 'sms code' } }]);
  });

  it('makes a session fresh that a machine created', async () => {
    const { id } = await kit.user();
    const { accessToken } = await kit.auth.sessionMinting.mint({ kind: 'machine', name: 'tests' }, id);
    const minted = await kit.auth.authenticator.authenticate(accessToken);
    expect(() => kit.auth.authenticator.assertFresh(minted, 900)).toThrow(AuthError);
    const raised = await kit.auth.stepUp.confirmedBy({ sessionId: minted.sessionId, ...LINK });
    const caller = await kit.auth.authenticator.authenticate(raised.accessToken);
    expect(() => kit.auth.authenticator.assertFresh(caller, 900)).not.toThrow();
  });

  it.each([
    ['a session that has ended', 'session_revoked', 'revoke'],
    ['an unknown session', 'not_found', 'none'],
    ['a session of a deactivated user', 'session_revoked', 'deactivate'],
  ] as const)('%s: %s', async (_what, code, end) => {
    const { accessToken, id } = await kit.user();
    const { sessionId } = await kit.auth.authenticator.authenticate(accessToken);
    if (end === 'revoke') await kit.auth.admin.sessions.revokeAll(OPERATOR, id);
    if (end === 'deactivate') await kit.auth.admin.users.deactivate(OPERATOR, id);
    const wanted = end === 'none' ? crypto.randomUUID() : sessionId;
    await expect(kit.auth.stepUp.confirmedBy({ sessionId: wanted, ...LINK })).rejects.toMatchObject({ code });
  });

  it('a session in which an actor acts for the user is not raised', async () => {
    const { id } = await kit.user();
    const { accessToken } = await kit.auth.sessionMinting.mint({ kind: 'machine', name: 'tests' }, id, {
      actor: 'Support team',
      reason: 'ticket 7',
    });
    const { sessionId } = await kit.auth.authenticator.authenticate(accessToken);
    const raised = kit.auth.stepUp.confirmedBy({ sessionId, ...LINK });
    await expect(raised).rejects.toMatchObject({ code: 'forbidden', reason: 'not_while_acting' });
  });
});
