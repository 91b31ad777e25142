import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifier } from '@latchkey/verifier';
import { requireRole } from '@latchkey/verifier/express';
import { mintActing } from '../support/acting.js';
import {
  answerChallenge,
  AuthenticatorApp,
  challengeOf,
  enrolledUser,
  signInWithCode,
} from '../support/authenticator-app.js';
import { startHostApp } from '../support/host-app.js';
import { mintTokens, signedInUser } from '../support/minted-token.js';
import { PASSKEY_ENV, registerPasskey, signInWithPasskey } from '../support/passkey-client.js';
import { INTERNAL_KEY, serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { stepUp } from '../support/step-up-client.js';

const MACHINE = { kind: 'machine', name: 'tests' } as const;

let staff: TestService;
let all: TestService;
beforeAll(async () => {
  [staff, all] = await Promise.all([
    startTestService({ env: { ...PASSKEY_ENV, SECOND_FACTOR: 'staff' } }),
    startTestService({ env: { ...PASSKEY_ENV, SECOND_FACTOR: 'all' } }),
  ]);
});
afterAll(() => Promise.all([staff.stop(), all.stop()]));

const claimsOf = (accessToken = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

const enrolAt = async (service: TestService, challenge: string) => {
  const answer = await service.api('POST', '/auth/login/second-factor/enrol', { body: { challenge } });
  expect(answer.status, answer.text).toBe(200);
  const { id, secret } = answer.data as unknown as { id: string; secret: string };
  return { id, app: new AuthenticatorApp(secret) };
};
const confirmAt = (service: TestService, body: { challenge: string; id: string; code: string }) =>
  service.api('POST', '/auth/login/second-factor/enrol/confirm', { body });

describe('a user who must have a second factor and has none', () => {
  it('the sign-in sets one up, and returns tokens and recovery codes', async () => {
    const user = await all.createUser();
    const required = await challengeOf(all, user);
    expect(required).toMatchObject({ methods: [], enrol: true, expiresIn: 300 });
    const { challenge } = required;
    const { id, app } = await enrolAt(all, challenge);
    const wrong = await confirmAt(all, { challenge, id, code: app.wrong() });
    expect(wrong).toMatchObject({ status: 401, code: 'unauthorized' });
    const answer = await confirmAt(all, { challenge, id, code: app.next() });
    expect(answer.status, answer.text).toBe(200);
    expect(claimsOf(answer.data.accessToken)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: 'aal2' });
    expect((answer.data as unknown as { recoveryCodes: string[] }).recoveryCodes).toHaveLength(10);
    expect((await all.mailTo(user.email)).subject).toContain('A second factor was added');
    expect(await challengeOf(all, user)).toMatchObject({ methods: ['totp', 'recovery_code'] });
  });

  it('of two sign-ins that set one up the first that confirms wins, and the other ends', async () => {
    const user = await all.createUser();
    const [one, two] = [await challengeOf(all, user), await challengeOf(all, user)];
    const [a, b] = [await enrolAt(all, one.challenge), await enrolAt(all, two.challenge)];
    // An enrolment belongs to the sign-in that began it.
    const foreign = { challenge: two.challenge, id: a.id, code: a.app.codeAt(0) };
    expect((await confirmAt(all, foreign)).status).toBe(404);
    const first = await confirmAt(all, { challenge: one.challenge, id: a.id, code: a.app.next() });
    expect(first.status).toBe(200);
    const second = await confirmAt(all, { challenge: two.challenge, id: b.id, code: b.app.next() });
    expect(second).toMatchObject({ status: 401, code: 'unauthorized' });
    const begun = await all.api('POST', '/auth/login/second-factor/enrol', {
      body: { challenge: two.challenge },
    });
    expect(begun.status).toBe(401);
  });

  it('five wrong codes end the sign-in', async () => {
    const user = await all.createUser();
    const { challenge } = await challengeOf(all, user);
    const { id, app } = await enrolAt(all, challenge);
    for (let guess = 0; guess < 5; guess += 1) {
      expect((await confirmAt(all, { challenge, id, code: app.wrong() })).status).toBe(401);
    }
    expect((await confirmAt(all, { challenge, id, code: app.next() })).status).toBe(401);
    expect(await all.sql('SELECT 1 FROM sessions WHERE user_id = $1', [user.id])).toEqual([]);
  });

  it('the challenge of a user with a factor sets up no other one', async () => {
    const user = await all.createUser();
    const { challenge } = await challengeOf(all, user);
    const { id, app } = await enrolAt(all, challenge);
    await confirmAt(all, { challenge, id, code: app.next() });
    const next = await challengeOf(all, user);
    const answer = await all.api('POST', '/auth/login/second-factor/enrol', {
      body: { challenge: next.challenge },
    });
    expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('a newcomer who accepts an invitation sets one up', async () => {
    const companyId = randomUUID();
    const admin = await enrolledUserOf(all);
    await all.auth.memberships.upsertCompany(MACHINE, companyId, { userId: admin.id, role: 'ADMIN' });
    const email = `${randomUUID()}@example.com`;
    await all.api('POST', '/auth/invitations', {
      token: admin.accessToken,
      headers: { 'x-org': companyId },
      body: { email },
    });
    const { token } = await all.mailTo(email);
    const accepted = await all.api('POST', '/auth/invitations/accept', {
      body: { token, password: 'a fine long password' },
    });
    const data = accepted.data as unknown as { secondFactor: { challenge: string; enrol: boolean } };
    expect(data.secondFactor, accepted.text).toMatchObject({ enrol: true });
    const { challenge } = data.secondFactor;
    const { id, app } = await enrolAt(all, challenge);
    const answer = await confirmAt(all, { challenge, id, code: app.next() });
    const { sid } = claimsOf(answer.data.accessToken);
    expect(await all.sql('SELECT origin, acr FROM sessions WHERE id = $1', [sid])).toEqual([
      { origin: 'invitation', acr: 'aal2' },
    ]);
  });

  it('an owner of a passkey uses it instead', async () => {
    const user = await signedInUser(all);
    const authenticator = new SoftwareAuthenticator();
    expect((await registerPasskey(all, user, authenticator)).status).toBe(201);
    const required = await challengeOf(all, user);
    expect(required).toEqual({
      challenge: expect.any(String) as string,
      methods: ['passkey'],
      expiresIn: 300,
    });
    const { challenge } = required;
    expect((await answerChallenge(all, { challenge, code: '123456' })).status).toBe(401);
    expect((await all.api('POST', '/auth/login/second-factor/enrol', { body: { challenge } })).status).toBe(
      401,
    );
    const { data } = await signInWithPasskey(all, authenticator);
    expect(claimsOf(data.accessToken)).toMatchObject({ acr: 'aal2' });
  });
});

/** A user of a service that requires factors, signed in with one. */
async function enrolledUserOf(service: TestService, role?: 'PLATFORM_ADMIN' | 'PLATFORM_SUPERADMIN') {
  const user = await service.createUser(role ? { role } : {});
  const { challenge } = await challengeOf(service, user);
  const { id, app } = await enrolAt(service, challenge);
  const { data } = await confirmAt(service, { challenge, id, code: app.next() });
  return { ...user, app, accessToken: data.accessToken };
}

describe('SECOND_FACTOR=staff', () => {
  it('requires a factor of staff and of no one else', async () => {
    expect(await staff.signIn(await staff.createUser())).toHaveProperty('accessToken');
    for (const role of ['PLATFORM_SUPERADMIN', 'PLATFORM_ADMIN', 'PLATFORM_MODERATOR'] as const) {
      expect(await challengeOf(staff, await staff.createUser({ role }))).toMatchObject({ enrol: true });
    }
  });

  it('a session of staff without a factor has no rights of the role, and its own account as before', async () => {
    const { token, id } = await signedInUser(staff, { role: 'PLATFORM_SUPERADMIN' });
    const companyId = randomUUID();
    const other = await signedInUser(staff);
    const denied = [
      await staff.api('GET', '/internal/users', { token }),
      await staff.api('GET', `/internal/users/${other.id}`, { token }),
      await staff.api('PATCH', `/internal/users/${other.id}`, { token, body: { fullName: 'X' } }),
      await staff.api('POST', `/internal/users/${other.id}/revoke-all`, { token }),
      await staff.api('GET', `/internal/companies/${companyId}/users`, { token }),
      await staff.api('GET', '/auth/me/access', { token, headers: { 'x-org': companyId } }),
      await staff.api('GET', '/auth/invitations', { token, headers: { 'x-org': companyId } }),
      await staff.api('POST', '/auth/handoff/create', { token, headers: { 'x-org': companyId } }),
    ];
    for (const answer of denied) {
      expect(answer).toMatchObject({ status: 403, code: 'second_factor_required' });
    }
    expect((await staff.api('GET', '/auth/me', { token })).status).toBe(200);
    expect((await staff.api('GET', `/internal/users/${id}`, { token })).status).toBe(200);
    expect((await staff.api('GET', '/auth/sessions', { token })).status).toBe(200);
  });

  it('a user who is raised to staff loses nothing but the rights of the role, until they have a factor', async () => {
    const user = await staff.createUser();
    const { refreshToken } = await staff.signIn(user);
    await staff.machine('PATCH', `/internal/admin/users/${user.id}`, {
      body: { globalRole: 'PLATFORM_ADMIN' },
    });
    const { data } = await staff.api('POST', '/auth/refresh', { body: { refreshToken } });
    const token = data.accessToken;
    expect((await staff.api('GET', '/auth/me', { token })).status).toBe(200);
    expect(await staff.api('GET', '/internal/users', { token })).toMatchObject({
      status: 403,
      code: 'second_factor_required',
    });
  });

  it('a session of staff with a factor has its rights', async () => {
    const { accessToken: token } = await enrolledUserOf(staff, 'PLATFORM_SUPERADMIN');
    expect((await staff.api('GET', '/internal/users', { token })).status).toBe(200);
  });
});

describe('the role in access tokens', () => {
  /** Returns the status of a route of another service that requires the role, and the role in the token. */
  async function outsideOf(service: TestService, token: string): Promise<[number, unknown]> {
    const { issuer, audience } = service.auth.settings.tokens;
    const verifier = await createVerifier({
      issuer,
      audience,
      url: service.url,
      credential: { internalApiKey: INTERNAL_KEY },
    });
    const host = await startHostApp((app) => {
      app.get('/reports', requireRole(verifier, 'PLATFORM_ADMIN'), (_request, response) => {
        response.json({});
      });
    });
    try {
      const { status } = await host.client.send('GET', '/reports', { token });
      return [status, claimsOf(token).globalRole];
    } finally {
      await host.stop();
      verifier.close();
    }
  }
  const LET_IN = [200, 'PLATFORM_ADMIN'];
  const KEPT_OUT = [403, 'NONE'];

  it('a session without the required factor has none, whatever it was opened by, and the service as before', async () => {
    const { id, token, refreshToken } = await signedInUser(staff, { role: 'PLATFORM_ADMIN' });
    const refreshed = await staff.api('POST', '/auth/refresh', { body: { refreshToken } });
    const acting = await mintActing(staff, id);
    for (const each of [token, refreshed.data.accessToken, acting.token]) {
      expect(await outsideOf(staff, each)).toEqual(KEPT_OUT);
      expect(await staff.api('GET', '/internal/users', { token: each })).toMatchObject({
        status: 403,
        code: 'second_factor_required',
      });
      const { data } = await staff.api('GET', '/auth/me', { token: each });
      expect(data).toMatchObject({ globalRole: 'PLATFORM_ADMIN', roles: ['PLATFORM_ADMIN'] });
    }
  });

  it('a user who is raised to staff has none before a factor', async () => {
    const user = await staff.createUser();
    const { refreshToken } = await staff.signIn(user);
    await staff.machine('PATCH', `/internal/admin/users/${user.id}`, {
      body: { globalRole: 'PLATFORM_ADMIN' },
    });
    const { data } = await staff.api('POST', '/auth/refresh', { body: { refreshToken } });
    expect(await outsideOf(staff, data.accessToken)).toEqual(KEPT_OUT);
  });

  it('a session with a factor has it, and so has one that a step-up raises, also after a refresh', async () => {
    const user = await enrolledUserOf(staff, 'PLATFORM_ADMIN');
    expect(await outsideOf(staff, user.accessToken)).toEqual(LET_IN);
    const weak = await mintTokens(staff, user.id);
    const first = await stepUp(staff, weak.token, { password: user.password });
    expect(await outsideOf(staff, first.data.accessToken)).toEqual(KEPT_OUT);
    const second = await stepUp(staff, first.data.accessToken, { code: user.app.next() });
    expect(await outsideOf(staff, second.data.accessToken)).toEqual(LET_IN);
    const { data } = await staff.api('POST', '/auth/refresh', { body: { refreshToken: weak.refreshToken } });
    expect(await outsideOf(staff, data.accessToken)).toEqual(LET_IN);
  });

  it('the next refresh removes it when the policy was switched on, and returns it when it was switched off', async () => {
    const optional = await serviceForThisTest({ env: { SECOND_FACTOR: 'optional' } });
    const { token, refreshToken } = await signedInUser(optional, { role: 'PLATFORM_ADMIN' });
    expect(await outsideOf(optional, token)).toEqual(LET_IN);
    const { databaseUrl } = optional;
    const strict = await serviceForThisTest({ databaseUrl, env: { SECOND_FACTOR: 'staff' } });
    const lowered = await strict.api('POST', '/auth/refresh', { body: { refreshToken } });
    expect(await outsideOf(strict, lowered.data.accessToken)).toEqual(KEPT_OUT);
    const raised = await optional.api('POST', '/auth/refresh', {
      body: { refreshToken: lowered.data.refreshToken },
    });
    expect(await outsideOf(optional, raised.data.accessToken)).toEqual(LET_IN);
  });

  it('the claims of a host app are made from the role that the token has', async () => {
    const service = await serviceForThisTest({
      env: { SECOND_FACTOR: 'staff' },
      extensions: { claims: ({ globalRole }) => ({ isStaff: globalRole !== 'NONE' }) },
    });
    const { token } = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    expect(claimsOf(token)).toMatchObject({ isStaff: false, globalRole: 'NONE' });
  });
});

describe('the other modes', () => {
  it('optional asks only users who have set one up', async () => {
    const service = await serviceForThisTest({ env: { SECOND_FACTOR: 'optional' } });
    const plain = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    expect((await service.api('GET', '/internal/users', { token: plain.token })).status).toBe(200);
    expect(await challengeOf(service, await enrolledUser(service))).toMatchObject({
      methods: ['totp', 'recovery_code'],
    });
  });

  it('off asks no one, also not who has set one up, and offers no routes of factors', async () => {
    const on = await serviceForThisTest();
    const user = await enrolledUser(on);
    const off = await serviceForThisTest({ databaseUrl: on.databaseUrl, env: { SECOND_FACTOR: 'off' } });
    const { accessToken: token } = await off.signIn(user);
    expect(claimsOf(token)).toMatchObject({ amr: ['pwd'], acr: 'aal1' });
    expect((await off.api('GET', '/auth/factors', { token })).status).toBe(404);
    expect((await off.api('POST', '/auth/login/second-factor', { body: {} })).status).toBe(404);
    expect(await off.auth.admin.factors.count()).toEqual({ factors: 1, users: 1 });
    const reset = await off.auth.admin.factors.reset({ kind: 'operator', name: 'tests' }, user.id, 'lost');
    expect(reset.removed).toEqual({ totp: 1, recoveryCodes: 10, passkeys: 0 });
  });

  it('without its key codes and recovery codes are unavailable, none is spent, and nothing counts as a guess', async () => {
    const on = await serviceForThisTest();
    const user = await enrolledUser(on);
    const env = { FACTOR_ENCRYPTION_KEYS: Buffer.alloc(32, 9).toString('base64') };
    const lost = await serviceForThisTest({ databaseUrl: on.databaseUrl, env });
    const { challenge } = await challengeOf(lost, user);
    for (let turn = 0; turn < 6; turn += 1) {
      const body = { challenge, code: user.app.codeAt(0) };
      const answer = await lost.api('POST', '/auth/login/second-factor', { body });
      expect(answer).toMatchObject({ status: 503, code: 'service_unavailable' });
    }
    const [recoveryCode = ''] = user.recoveryCodes;
    for (let turn = 0; turn < 6; turn += 1) {
      const answer = await answerChallenge(lost, { challenge, recoveryCode });
      expect(answer).toMatchObject({ status: 503, code: 'service_unavailable' });
    }
    expect((await answerChallenge(on, { challenge, recoveryCode })).status).toBe(200);
  });
});

describe('what claims two factors', () => {
  it('no mint, password change or reset makes a session of two factors', async () => {
    const service = await serviceForThisTest();
    const user = await enrolledUser(service);
    const minted = await service.auth.sessionMinting.mint(MACHINE, user.id);
    expect(claimsOf(minted.accessToken)).toMatchObject({ amr: ['mca'], acr: 'aal1' });
    const strong = await signInWithCode(service, user);
    const changed = await service.api('POST', '/auth/password/change', {
      token: strong.accessToken,
      body: { currentPassword: user.password, newPassword: 'another fine long password' },
    });
    expect(changed.status, changed.text).toBe(200);
    const { data } = await service.api('POST', '/auth/refresh', {
      body: { refreshToken: strong.refreshToken },
    });
    expect(claimsOf(data.accessToken)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: 'aal2' });
    expect(await challengeOf(service, { ...user, password: 'another fine long password' })).toMatchObject({
      methods: ['totp', 'recovery_code'],
    });
  });
});
