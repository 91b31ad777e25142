import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { signRs256, takeApart } from '../support/forged-token.js';
import { mintTokens, signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import {
  PASSKEY_ENV,
  passkeysOf,
  REGISTRATION_REFUSED,
  registerPasskey,
  registrationOptions,
  SIGN_IN_REFUSED,
  signInOptions,
  signInWithPasskey,
  verifyRegistration,
  verifySignIn,
} from '../support/passkey-client.js';
import { ResetClient } from '../support/reset-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { provedByFactor } from '../support/step-up-client.js';

const DESKTOP =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ env: PASSKEY_ENV });
});
afterAll(() => service.stop());

/** A user with one passkey, and the authenticator that holds it. */
async function passkeyUser(options: ConstructorParameters<typeof SoftwareAuthenticator>[0] = {}) {
  const user = await provedByFactor(service, await signedInUser(service));
  const authenticator = new SoftwareAuthenticator(options);
  const answer = await registerPasskey(service, user, authenticator);
  expect(answer.status, answer.text).toBe(201);
  return { ...user, authenticator, passkeyId: answer.data.id };
}

const auditOf = (userId: string, event: string) =>
  service.sql(
    `SELECT outcome, actor, actor_user_id, session_id, details FROM auth_audit_logs
     WHERE subject_user_id = $1 AND event = $2 ORDER BY occurred_at, id`,
    [userId, event],
  );

describe('options of a registration', () => {
  const ask = (user: SignedInTestUser, body: object): Promise<Answer> =>
    service.api('POST', '/auth/passkeys/register/options', { token: user.token, body });

  it('options of a registration need a session and the current password', async () => {
    const user = await signedInUser(service);
    const path = '/auth/passkeys/register/options';
    const body = { currentPassword: user.password };
    expect(await service.api('POST', path, { body })).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(await ask(user, {})).toMatchObject({ status: 400, code: 'validation_error' });
    expect(await ask(user, { currentPassword: 'wrong' })).toMatchObject({
      status: 401,
      code: 'unauthorized',
    });
    expect((await ask(user, body)).status).toBe(200);
  });

  it('options of a registration require a verified user, a discoverable credential and no attestation', async () => {
    const user = await signedInUser(service);
    expect(await registrationOptions(service, user)).toEqual({
      rp: { id: 'localhost', name: 'Latchkey' },
      user: {
        id: Buffer.from(user.id.replaceAll('-', ''), 'hex').toString('base64url'),
        name: user.email,
        displayName: user.fullName,
      },
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as unknown,
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      hints: [],
      attestation: 'none',
      extensions: { credProps: true },
    });
  });

  it('options of a registration name the credentials of the user, and of no other user', async () => {
    const user = await passkeyUser();
    await passkeyUser();
    const { excludeCredentials } = await registrationOptions(service, user);
    const [credential] = user.authenticator.credentials;
    expect(excludeCredentials).toEqual([
      { id: credential?.id.toString('base64url'), type: 'public-key', transports: ['internal'] },
    ]);
    await expect(registerPasskey(service, user, user.authenticator)).rejects.toThrow('InvalidStateError');
  });

  it('ten wrong passwords in a row end the session, those of a password change included', async () => {
    const user = await signedInUser(service);
    const wrong = { status: 401, code: 'unauthorized' };
    for (let guess = 0; guess < 8; guess++) {
      expect(await ask(user, { currentPassword: `guess number ${guess}` })).toMatchObject(wrong);
    }
    const body = { currentPassword: 'another guess', newPassword: 'seven owls over the harbour' };
    const change = await service.api('POST', '/auth/password/change', { token: user.token, body });
    expect(change).toMatchObject(wrong);
    const last = await ask(user, { currentPassword: 'the last guess' });
    expect(last).toMatchObject({ status: 401, code: 'session_revoked' });
  });

  it('options of a registration are no use to a user without a password', async () => {
    const user = await signedInUser(service, { password: null });
    expect(await ask(user, { currentPassword: 'x' })).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});

describe('a registration', () => {
  it.each(['ES256', 'EdDSA', 'RS256'] as const)(
    'a registration with %s is answered with the passkey',
    async (algorithm) => {
      const user = await signedInUser(service);
      const answer = await registerPasskey(service, user, new SoftwareAuthenticator({ algorithm }));
      expect(answer.status, answer.text).toBe(201);
      expect(answer.data).toEqual({
        id: expect.any(String) as unknown,
        name: 'Passkey',
        deviceType: 'singleDevice',
        backedUp: false,
        transports: ['internal'],
        createdAt: TIMESTAMP,
      });
      const listed = await service.api('GET', '/auth/passkeys', { token: user.token });
      expect(listed.items).toEqual([answer.data]);
    },
  );

  it('a registration of a synced credential is marked as such', async () => {
    const user = await signedInUser(service);
    const answer = await registerPasskey(service, user, new SoftwareAuthenticator({ synced: true }));
    expect(answer.data).toMatchObject({ deviceType: 'multiDevice', backedUp: true });
  });

  it('a registration takes a true self attestation, though none was requested', async () => {
    const user = await signedInUser(service);
    const changes = { attestation: 'packed' } as const;
    const answer = await registerPasskey(service, user, new SoftwareAuthenticator(), changes);
    expect(answer.status, answer.text).toBe(201);
  });

  it('a registration drops transports that are invalid', async () => {
    const user = await signedInUser(service);
    const transports = ['usb', 'usb', 'a new one', 'smart-card', '<b>', 'X'.repeat(60)];
    const answer = await registerPasskey(service, user, new SoftwareAuthenticator(), {
      response: { transports },
    });
    expect(answer.data.transports).toEqual(['usb', 'smart-card']);
  });

  it('a registration is named by the user, else by the client', async () => {
    const user = await provedByFactor(service, await signedInUser(service));
    const register = async (body: object, headers = {}) => {
      const credential = await new SoftwareAuthenticator().register(await registrationOptions(service, user));
      const { token } = user;
      return service.api('POST', '/auth/passkeys/register/verify', {
        token,
        headers,
        body: { credential, ...body },
      });
    };
    expect((await register({ name: '  My phone ' })).data.name).toBe('My phone');
    expect((await register({}, { 'user-agent': DESKTOP })).data.name).toBe('Chrome on macOS');
    expect(await register({ name: ' ' })).toMatchObject({ status: 400, code: 'validation_error' });
    expect(await register({ name: 'x'.repeat(101) })).toMatchObject({ status: 400 });
  });

  it('a registration is mailed to the owner and written to the audit log', async () => {
    const { id, email, passkeyId } = await passkeyUser();
    const mail = await service.mailTo(email);
    expect(mail.subject).toBe('A passkey was added to your Latchkey account');
    expect(mail.text).toContain('"Passkey"');
    expect(await auditOf(id, 'passkey_added')).toEqual([
      {
        outcome: 'success',
        actor: 'user',
        actor_user_id: id,
        session_id: expect.any(String) as unknown,
        details: { passkeyId },
      },
    ]);
  });

  it('a registration stores the public half and nothing that signs', async () => {
    const { id, authenticator } = await passkeyUser();
    const rows = await service.sql(
      'SELECT credential_id, counter, public_key FROM passkey_credentials WHERE user_id = $1',
      [id],
    );
    const [credential] = authenticator.credentials;
    expect(rows).toEqual([
      {
        credential_id: credential?.id.toString('base64url'),
        counter: '0',
        public_key: expect.any(Buffer) as unknown,
      },
    ]);
  });

  it('a registration of a credential that is registered already is a conflict, whosever it is', async () => {
    const { authenticator } = await passkeyUser();
    const credentialId = authenticator.credentials[0]?.id ?? Buffer.alloc(0);
    const other = await signedInUser(service);
    const answer = await registerPasskey(service, other, new SoftwareAuthenticator(), { credentialId });
    expect(answer).toMatchObject({ status: 409, code: 'conflict' });
    expect(await passkeysOf(service, other)).toEqual([]);
    expect(await auditOf(other.id, 'passkey_added')).toMatchObject([
      { outcome: 'failure', details: { reason: 'duplicate' } },
    ]);
  });

  it('a registration belongs to the session that began it', async () => {
    const user = await signedInUser(service);
    const credential = await new SoftwareAuthenticator().register(await registrationOptions(service, user));
    const elsewhere = await mintTokens(service, user.id);
    expect(await verifyRegistration(service, elsewhere, credential)).toMatchObject(REGISTRATION_REFUSED);
    expect(await passkeysOf(service, user)).toEqual([]);
    expect(await auditOf(user.id, 'passkey_added')).toMatchObject([
      { outcome: 'failure', details: { reason: 'ceremony' } },
    ]);
  });

  it('a registration is possible twenty times', async () => {
    const { passkeyId, ...user } = await passkeyUser();
    const early = await registrationOptions(service, user);
    await service.sql(
      `INSERT INTO passkey_credentials (id, user_id, credential_id, public_key, device_type, backed_up, name)
       SELECT gen_random_uuid(), user_id, 'another' || n || $2::text, public_key, device_type, backed_up, name
       FROM passkey_credentials, generate_series(1, 19) n WHERE id = $1`,
      [passkeyId, randomUUID()],
    );
    const credential = await new SoftwareAuthenticator().register(early);
    expect(await verifyRegistration(service, user, credential)).toMatchObject({
      status: 409,
      code: 'conflict',
    });
    const body = { currentPassword: user.password };
    expect(await service.api('POST', '/auth/passkeys/register/options', { ...user, body })).toMatchObject({
      status: 409,
      code: 'conflict',
    });
    expect(await passkeysOf(service, user)).toHaveLength(20);
  });
});

describe('a sign-in', () => {
  it('a sign-in gets options that name no user', async () => {
    expect(await signInOptions(service)).toEqual({
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as unknown,
      timeout: 300_000,
      rpId: 'localhost',
      userVerification: 'required',
    });
    expect((await service.api('POST', '/auth/passkeys/login/options')).status).toBe(200);
  });

  it.each(['ES256', 'EdDSA', 'RS256'] as const)(
    'a sign-in with %s returns the same as one with a password',
    async (algorithm) => {
      const user = await passkeyUser({ algorithm });
      const answer = await signInWithPasskey(service, user.authenticator);
      expect(answer.status, answer.text).toBe(200);
      expect(Object.keys(answer.data).sort()).toEqual([
        'accessToken',
        'expiresIn',
        'refreshToken',
        'tokenType',
      ]);
      const me = await service.api('GET', '/auth/me', { token: answer.data.accessToken });
      expect(me.data.id).toBe(user.id);
      const [, claims = ''] = answer.data.accessToken.split('.');
      expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
        amr: ['hwk', 'user', 'mfa'],
        acr: 'aal2',
      });
      const { refreshToken } = answer.data;
      expect((await service.api('POST', '/auth/refresh', { body: { refreshToken } })).status).toBe(200);
    },
  );

  it('a sign-in is recorded by passkey, session and audit log', async () => {
    const user = await passkeyUser();
    await signInWithPasskey(service, user.authenticator);
    const listed = await service.api('GET', '/auth/passkeys', { token: user.token });
    const sessions = await service.sql(
      `SELECT id, octet_length(grant_digest) AS digest FROM sessions WHERE user_id = $1 AND origin = 'passkey'`,
      [user.id],
    );
    expect(listed.items).toMatchObject([{ id: user.passkeyId, lastUsedAt: TIMESTAMP }]);
    expect(sessions).toMatchObject([{ digest: 32 }]);
    expect(await auditOf(user.id, 'login')).toEqual([
      {
        outcome: 'success',
        actor: 'user',
        actor_user_id: user.id,
        session_id: sessions[0]?.id,
        details: { method: 'passkey', passkeyId: user.passkeyId },
      },
    ]);
  });

  it('a sign-in follows a synced credential whose backup comes and goes', async () => {
    const { authenticator, token } = await passkeyUser({ synced: true });
    expect((await signInWithPasskey(service, authenticator, { flags: { BS: false } })).status).toBe(200);
    const listed = await service.api('GET', '/auth/passkeys', { token });
    expect(listed.items).toMatchObject([{ deviceType: 'multiDevice', backedUp: false }]);
  });

  it('a sign-in uses a challenge once', async () => {
    const { authenticator } = await passkeyUser();
    const credential = await authenticator.authenticate(await signInOptions(service));
    expect((await verifySignIn(service, credential)).status).toBe(200);
    expect(await verifySignIn(service, credential)).toMatchObject(SIGN_IN_REFUSED);
  });

  it.each([
    { state: 'PENDING', columns: `approval_status = 'PENDING'`, code: 'pending_approval' },
    { state: 'REJECTED', columns: `approval_status = 'REJECTED'`, code: 'registration_rejected' },
    { state: 'inactive', columns: 'is_active = false', code: 'account_inactive' },
  ])(
    'a sign-in of a user who is $state discloses that to a valid assertion only',
    async ({ columns, code }) => {
      const { authenticator, id } = await passkeyUser();
      await service.sql(`UPDATE users SET ${columns} WHERE id = $1`, [id]);
      const broken = (signature: Buffer) => Buffer.from(signature).fill(0, 12);
      expect(await signInWithPasskey(service, authenticator, { signature: broken })).toMatchObject(
        SIGN_IN_REFUSED,
      );
      expect(await signInWithPasskey(service, authenticator)).toMatchObject({ status: 403, code });
      expect(await auditOf(id, 'login')).toMatchObject([
        { outcome: 'failure', actor: 'anonymous', details: { method: 'passkey', reason: 'response' } },
        { outcome: 'denied', actor: 'anonymous', details: { method: 'passkey', reason: code } },
      ]);
    },
  );

  it('a sign-in counts against the limit of the address', async () => {
    const limited = await serviceForThisTest({ env: { ...PASSKEY_ENV, LOGIN_RATE_LIMIT: '30' } });
    for (let request = 0; request < 30; request++) await signInOptions(limited);
    const answer = await limited.api('POST', '/auth/passkeys/login/options', { body: {} });
    expect(answer).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(await verifySignIn(limited, {})).toMatchObject({ status: 429, code: 'rate_limited' });
  });
});

describe('own passkeys', () => {
  const rename = (user: { token: string }, id: string, body: object) =>
    service.api('PATCH', `/auth/passkeys/${id}`, { token: user.token, body });
  const remove = (user: { token: string }, id: string) =>
    service.api('DELETE', `/auth/passkeys/${id}`, { token: user.token });
  it('own passkeys are listed newest first, page by page', async () => {
    const user = await passkeyUser();
    const second = await registerPasskey(service, user, new SoftwareAuthenticator());
    const page = await service.api('GET', '/auth/passkeys?limit=1&offset=1', { token: user.token });
    expect(await passkeysOf(service, user)).toEqual([second.data.id, user.passkeyId]);
    expect(page.items.map(({ id }) => id)).toEqual([user.passkeyId]);
    expect(page.headers['x-total-count']).toBe('2');
  });

  it('own passkeys are renamed', async () => {
    const user = await passkeyUser();
    const answer = await rename(user, user.passkeyId, { name: ' Key ring ' });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.data).toMatchObject({ id: user.passkeyId, name: 'Key ring' });
    expect(await rename(user, user.passkeyId, {})).toMatchObject({ status: 400, code: 'validation_error' });
    expect(await rename(user, user.passkeyId, { name: '' })).toMatchObject({ status: 400 });
    expect(await auditOf(user.id, 'passkey_renamed')).toMatchObject([
      { outcome: 'success', actor_user_id: user.id, details: { passkeyId: user.passkeyId } },
    ]);
  });

  it('own passkeys are removed with a mail to the owner, and then open no session', async () => {
    const user = await passkeyUser();
    const answer = await remove(user, user.passkeyId);
    expect(answer).toMatchObject({ status: 200, data: { status: 'ok' } });
    expect(await remove(user, user.passkeyId)).toMatchObject({ status: 404, code: 'not_found' });
    expect(await passkeysOf(service, user)).toEqual([]);
    expect(await signInWithPasskey(service, user.authenticator)).toMatchObject(SIGN_IN_REFUSED);
    expect((await service.mailTo(user.email, 2)).subject).toBe(
      'A passkey was removed from your Latchkey account',
    );
    expect(await auditOf(user.id, 'passkey_removed')).toMatchObject([
      { outcome: 'success', actor_user_id: user.id, details: { passkeyId: user.passkeyId } },
    ]);
  });

  it('own passkeys can be renamed but not removed more than 15 minutes after the sign-in', async () => {
    const user = await passkeyUser();
    const parts = takeApart(user.token);
    const signedInAgo = (seconds: number): string =>
      signRs256({
        ...parts,
        claims: { ...parts.claims, auth_time: Math.floor(Date.now() / 1000) - seconds },
      });
    const stale = { ...user, token: signedInAgo(910) };
    const refused = await remove(stale, user.passkeyId);
    expect(refused).toMatchObject({ status: 401, code: 'reauthentication_required' });
    expect(refused.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_user_authentication", acr_values="aal2", max_age=900',
    );
    expect(await passkeysOf(service, user)).toEqual([user.passkeyId]);
    expect((await rename(stale, user.passkeyId, { name: 'Old phone' })).status).toBe(200);
    expect((await remove({ ...user, token: signedInAgo(890) }, user.passkeyId)).status).toBe(200);
  });

  it('own passkeys are invisible to other users', async () => {
    const owner = await passkeyUser();
    const other = await signedInUser(service);
    const missing = { status: 404, code: 'not_found' };
    expect(await rename(other, owner.passkeyId, { name: 'Mine' })).toMatchObject(missing);
    expect(await remove(other, owner.passkeyId)).toMatchObject(missing);
    expect(await remove(other, randomUUID())).toMatchObject(missing);
    expect(await passkeysOf(service, other)).toEqual([]);
    expect((await rename(owner, owner.passkeyId, { name: 'Still mine' })).status).toBe(200);
  });

  it('own passkeys are shown to no caller without a token', async () => {
    expect(await service.api('GET', '/auth/passkeys')).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});

describe('a password reset', () => {
  it('a password reset removes every passkey and ends the ceremonies of the sessions it ends', async () => {
    const resets = new ResetClient(service);
    const user = await passkeyUser();
    const options = await registrationOptions(service, user);
    const elsewhere = await signInOptions(service);
    expect((await resets.confirm(await resets.tokenFor(user.email))).status).toBe(200);
    const fresh = await mintTokens(service, user.id);
    const late = await new SoftwareAuthenticator().register(options);

    expect(await verifySignIn(service, await user.authenticator.authenticate(elsewhere))).toMatchObject(
      SIGN_IN_REFUSED,
    );
    expect(await passkeysOf(service, fresh)).toEqual([]);
    expect(await verifyRegistration(service, fresh, late)).toMatchObject(REGISTRATION_REFUSED);
    expect(await passkeysOf(service, fresh)).toEqual([]);
    expect(await auditOf(user.id, 'password_reset_confirmed')).toMatchObject([
      { details: { reason: 'password_reset', removedPasskeys: 1 } },
    ]);
  });
});

describe('metrics of passkeys', () => {
  const NONE = { success: 0, failure: 0, statuses: {} };
  const read = async (of: TestService) => (await of.machine('GET', '/internal/admin/passkey-metrics')).data;

  it('the metrics count operations and statuses, and name no user', async () => {
    const counted = await serviceForThisTest({ env: PASSKEY_ENV });
    const user = await signedInUser(counted);
    const authenticator = new SoftwareAuthenticator();
    const { data } = await registerPasskey(counted, user, authenticator);
    await signInWithPasskey(counted, authenticator);
    await verifySignIn(counted, {});
    await counted.api('GET', '/auth/passkeys');
    await counted.api('PATCH', `/auth/passkeys/${randomUUID()}`, { token: user.token, body: { name: 'x' } });
    const { token } = await provedByFactor(counted, user);
    await counted.api('DELETE', `/auth/passkeys/${data.id}`, { token });
    await signInWithPasskey(counted, authenticator);
    expect(await read(counted)).toEqual({
      operations: {
        registrationOptions: { success: 1, failure: 0, statuses: { '200': 1 } },
        registrationVerify: { success: 1, failure: 0, statuses: { '201': 1 } },
        loginOptions: { success: 2, failure: 0, statuses: { '200': 2 } },
        loginVerify: { success: 1, failure: 2, statuses: { '200': 1, '400': 1, '401': 1 } },
        list: { success: 0, failure: 1, statuses: { '401': 1 } },
        rename: { success: 0, failure: 1, statuses: { '404': 1 } },
        remove: { success: 1, failure: 0, statuses: { '200': 1 } },
      },
    });
  });

  it('the metrics are for machines', async () => {
    const { token } = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    const answer = await service.api('GET', '/internal/admin/passkey-metrics', { token });
    expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('the metrics are all zero while passkeys are off', async () => {
    const off = await serviceForThisTest();
    await off.api('POST', '/auth/passkeys/login/options', { body: {} });
    const { operations } = await read(off);
    expect(Object.values(operations as object)).toEqual(Array(7).fill(NONE));
  });
});

describe('a service without passkeys', () => {
  it('without passkeys their routes are not found, by any caller and with any input', async () => {
    const off = await serviceForThisTest({ env: { LOGIN_RATE_LIMIT: '1' } });
    const { token } = await signedInUser(off);
    const id = randomUUID();
    const routes: [string, string][] = [
      ['POST', '/auth/passkeys/register/options'],
      ['POST', '/auth/passkeys/register/verify'],
      ['POST', '/auth/passkeys/login/options'],
      ['POST', '/auth/passkeys/login/verify'],
      ['GET', '/auth/passkeys'],
      ['PATCH', `/auth/passkeys/${id}`],
      ['DELETE', `/auth/passkeys/${id}`],
    ];
    for (const [method, path] of routes) {
      for (const options of [{}, { token, body: {} }, { raw: '{' }, { token: 'x' }]) {
        const answer = await off.api(method, path, options);
        expect([method, path, answer.status, answer.code]).toEqual([method, path, 404, 'not_found']);
      }
    }
  });
});
