import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthError, unknownClient, type SecondFactorRequired } from '@latchkey/core';
import {
  answerChallenge,
  challengeOf,
  enrol,
  enrolledUser,
  signInWithCode,
  type Enrolled,
} from '../support/authenticator-app.js';
import { mintTokens } from '../support/minted-token.js';
import { ResetClient } from '../support/reset-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { provedByFactor } from '../support/step-up-client.js';

const MACHINE = { kind: 'machine', name: 'tests' } as const;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const claimsOf = (accessToken = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

const sessionsOf = (userId: string) =>
  service.sql('SELECT origin, amr, acr FROM sessions WHERE user_id = $1 AND NOT is_revoked ORDER BY id', [
    userId,
  ]);
const auditOf = (userId: string) =>
  service.sql('SELECT event, outcome, details FROM auth_audit_logs WHERE subject_user_id = $1 ORDER BY id', [
    userId,
  ]);

/** Reports whether a challenge can still be answered, by a recovery code, which nothing else spends. */
async function isAlive(challenge: string, recoveryCode = ''): Promise<boolean> {
  const { status, text } = await answerChallenge(service, { challenge, recoveryCode });
  expect([200, 401], text).toContain(status);
  return status === 200;
}

describe('a sign-in of a user with a second factor', () => {
  it('the right password returns a challenge and no tokens', async () => {
    const user = await enrolledUser(service);
    const answer = await service.api('POST', '/auth/login', {
      body: { email: user.email, password: user.password },
    });
    expect(answer.data).toEqual({
      secondFactor: {
        challenge: expect.stringMatching(/^lkc_[\w-]{43}$/) as string,
        methods: ['totp', 'recovery_code'],
        expiresIn: 300,
      },
    });
    expect(await sessionsOf(user.id)).toHaveLength(1);
  });

  it('a code completes it with two factors, which a refresh keeps and a hand-off inherits', async () => {
    const user = await enrolledUser(service);
    const tokens = await signInWithCode(service, user);
    const expected = { amr: ['pwd', 'otp', 'mfa'], acr: 'aal2' };
    expect(claimsOf(tokens.accessToken)).toMatchObject({ sub: user.id, ...expected });
    const refreshed = await service.api('POST', '/auth/refresh', {
      body: { refreshToken: tokens.refreshToken },
    });
    expect(claimsOf(refreshed.data.accessToken)).toMatchObject(expected);
    const companyId = randomUUID();
    await service.auth.memberships.upsertCompany(MACHINE, companyId, { userId: user.id });
    const caller = await service.auth.authenticator.authenticate(refreshed.data.accessToken);
    const { code } = await service.auth.handoff.create(caller, companyId);
    expect(claimsOf((await service.auth.handoff.exchange(code)).accessToken)).toMatchObject(expected);
    const logins = (await auditOf(user.id)).filter(({ event }) => event === 'login');
    expect(logins.at(-1)).toMatchObject({
      outcome: 'success',
      details: { method: 'password', secondFactor: 'totp', factorId: user.factorId },
    });
  });

  it('a recovery code completes it once, in any spelling, and its use is mailed', async () => {
    const user = await enrolledUser(service);
    const [code = ''] = user.recoveryCodes;
    const { challenge } = await challengeOf(service, user);
    const answer = await answerChallenge(service, {
      challenge,
      recoveryCode: code.toUpperCase().replaceAll('-', ' '),
    });
    expect(claimsOf(answer.data.accessToken)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: 'aal2' });
    const again = await challengeOf(service, user);
    expect(await isAlive(again.challenge, code)).toBe(false);
    expect((await service.mailTo(user.email, 2)).text).toContain('9 codes are left');
    expect((await auditOf(user.id)).filter(({ event }) => event === 'recovery_code_used')).toEqual([
      { event: 'recovery_code_used', outcome: 'success', details: { codesLeft: 9 } },
    ]);
  });

  it('a code of the confirmation or of an earlier sign-in is not accepted again', async () => {
    const user = await enrolledUser(service);
    const code = user.app.codeAt(0);
    const first = await challengeOf(service, user);
    expect((await answerChallenge(service, { challenge: first.challenge, code })).status).toBe(200);
    const second = await challengeOf(service, user);
    for (const used of [user.app.codeAt(-1), code]) {
      const answer = await answerChallenge(service, { challenge: second.challenge, code: used });
      expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
    }
  });

  it('a challenge is spent once', async () => {
    const user = await enrolledUser(service);
    const { challenge } = await challengeOf(service, user);
    expect((await answerChallenge(service, { challenge, code: user.app.next() })).status).toBe(200);
    expect((await answerChallenge(service, { challenge, code: user.app.next() })).status).toBe(401);
    expect(await isAlive(challenge, user.recoveryCodes[0])).toBe(false);
  });

  it('a challenge dies after five wrong proofs, and a right one does not revive it', async () => {
    const user = await enrolledUser(service);
    const { challenge } = await challengeOf(service, user);
    for (let guess = 0; guess < 5; guess += 1) {
      const wrong = guess < 3 ? { code: user.app.wrong() } : { recoveryCode: '00000-00000-00000' };
      expect((await answerChallenge(service, { challenge, ...wrong })).status).toBe(401);
    }
    expect((await answerChallenge(service, { challenge, code: user.app.next() })).status).toBe(401);
    expect(await isAlive(challenge, user.recoveryCodes[0])).toBe(false);
  });

  it('a challenge expires after five minutes', async () => {
    const user = await enrolledUser(service);
    const { challenge } = await challengeOf(service, user);
    const lifetimes = await service.sql(
      `SELECT extract(epoch FROM expires_at - created_at)::integer AS seconds
       FROM second_factor_challenges WHERE user_id = $1`,
      [user.id],
    );
    expect(lifetimes).toEqual([{ seconds: 300 }]);
    await service.sql('UPDATE second_factor_challenges SET expires_at = now() WHERE user_id = $1', [user.id]);
    expect(await isAlive(challenge, user.recoveryCodes[0])).toBe(false);
  });

  it.each([
    [{}],
    [{ challenge: 'lkc_x' }],
    [{ challenge: 'lkc_x', code: '123456', recoveryCode: 'x' }],
    [{ challenge: '', code: '123456' }],
    [{ challenge: 'lkc_x', code: 123_456 }],
    [{ code: '123456' }],
  ])('the input %j is rejected', async (body) => {
    const answer = await service.api('POST', '/auth/login/second-factor', { body });
    expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
  });

  it('an unknown challenge is rejected', async () => {
    const body = { challenge: `lkc_${'A'.repeat(43)}`, code: '123456' };
    const answer = await service.api('POST', '/auth/login/second-factor', { body });
    expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});

const CHANGES: [string, (user: Enrolled) => Promise<unknown>][] = [
  [
    'a password change',
    async ({ id, password }) => {
      const { token } = await provedByFactor(service, await mintTokens(service, id));
      const body = { currentPassword: password, newPassword: 'another fine long password' };
      const changed = await service.api('POST', '/auth/password/change', { token, body });
      expect(changed.status, changed.text).toBe(200);
    },
  ],
  [
    'a password reset',
    async ({ email }) => {
      // The mail about the new factor may be on its way; the link is in the one after it.
      await service.mailTo(email);
      const resets = new ResetClient(service);
      return resets.confirm(await resets.tokenFor(email));
    },
  ],
  [
    'a deactivation and reactivation',
    async ({ id }) => {
      await service.machine('PATCH', `/internal/admin/users/${id}`, { body: { isActive: false } });
      return service.machine('PATCH', `/internal/admin/users/${id}`, { body: { isActive: true } });
    },
  ],
  ['a deactivation', ({ id }) => service.machine('DELETE', `/internal/admin/users/${id}`)],
  [
    'a new role',
    ({ id }) =>
      service.machine('PATCH', `/internal/admin/users/${id}`, { body: { globalRole: 'PLATFORM_ADMIN' } }),
  ],
  [
    'a withdrawn approval',
    async ({ id }) => {
      await service.machine('PATCH', `/internal/admin/users/${id}`, { body: { approvalStatus: 'PENDING' } });
      return service.machine('PATCH', `/internal/admin/users/${id}`, {
        body: { approvalStatus: 'APPROVED' },
      });
    },
  ],
  [
    'new recovery codes',
    async (user) => {
      const { accessToken: token } = await signInWithCode(service, user);
      return service.api('POST', '/auth/factors/recovery-codes', { token });
    },
  ],
  [
    'a second app',
    async (user) => {
      const { accessToken } = await signInWithCode(service, user);
      return enrol(service, accessToken);
    },
  ],
  [
    'a reset of the factors',
    ({ id }) =>
      service.machine('DELETE', `/internal/admin/users/${id}/factors`, { body: { reason: 'lost phone' } }),
  ],
];

describe('a challenge is bound to what was verified', () => {
  it.each(CHANGES)('%s ends the challenge', async (_change, change) => {
    const user = await enrolledUser(service);
    const { challenge } = await challengeOf(service, user);
    const answer = (await change(user)) as { status?: number; text?: string } | undefined;
    if (answer?.status !== undefined) expect(answer.status, answer.text).toBeLessThan(300);
    expect(await isAlive(challenge, user.recoveryCodes[0])).toBe(false);
  });

  it('nothing that changes later ends a challenge that nothing has changed', async () => {
    const user = await enrolledUser(service);
    const { challenge } = await challengeOf(service, user);
    expect(await isAlive(challenge, user.recoveryCodes[0])).toBe(true);
  });
});

describe('guesses at codes', () => {
  it('after twenty wrong codes in an hour, on all challenges together, an account accepts recovery codes only', async () => {
    const user = await enrolledUser(service);
    for (let round = 0; round < 4; round += 1) {
      const { challenge } = await challengeOf(service, user);
      for (let guess = 0; guess < 5; guess += 1) {
        expect((await answerChallenge(service, { challenge, code: user.app.wrong() })).status).toBe(401);
      }
    }
    const { challenge } = await challengeOf(service, user);
    const body = { challenge, code: user.app.next() };
    const limited = await service.api('POST', '/auth/login/second-factor', { body });
    expect(limited).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(3_000);
    expect(await isAlive(challenge, user.recoveryCodes[0])).toBe(true);
    await service.sql(
      `UPDATE second_factor_challenges SET created_at = created_at - interval '70 minutes' WHERE user_id = $1`,
      [user.id],
    );
    expect(await signInWithCode(service, user)).toHaveProperty('accessToken');
  });

  it('wrong codes count for the waits of the account, which keep no one from using a recovery code', async () => {
    const user = await enrolledUser(service);
    const elsewhere = { ...unknownClient, ipAddress: '203.0.113.9' };
    const { login, factors } = service.auth;
    const passwordFrom = (password: string) =>
      login.withPassword({ email: user.email, password }, elsewhere).catch(codeOf);
    const first = (await passwordFrom(user.password)) as SecondFactorRequired;
    const { challenge } = first.secondFactor;
    const answer = (proof: { code: string } | { recoveryCode: string }) =>
      factors?.signIn.complete({ challenge, ...proof }, elsewhere).catch(codeOf);
    for (let guess = 0; guess < 4; guess += 1) {
      expect(await answer({ code: user.app.wrong() })).toBe('unauthorized');
    }
    // The right password is no success, so it resets nothing.
    expect(await passwordFrom(user.password)).toHaveProperty('secondFactor');
    for (let guess = 0; guess < 16; guess += 1) {
      expect(await passwordFrom('a wrong password')).toBe('unauthorized');
    }
    expect(await passwordFrom('a wrong password')).toBe('rate_limited');
    expect(await answer({ code: user.app.next() })).toBe('rate_limited');
    expect(await answer({ recoveryCode: user.recoveryCodes[0] ?? '' })).toHaveProperty('accessToken');
  });

  it('a completed sign-in resets the failures of the account', async () => {
    const user = await enrolledUser(service);
    const elsewhere = { ...unknownClient, ipAddress: '203.0.113.77' };
    const { login, factors } = service.auth;
    const passwordFrom = (password: string) =>
      login.withPassword({ email: user.email, password }, elsewhere).catch(codeOf);
    for (let guess = 0; guess < 19; guess += 1) await passwordFrom('a wrong password');
    const { secondFactor } = (await passwordFrom(user.password)) as SecondFactorRequired;
    const { challenge } = secondFactor;
    await factors?.signIn.complete({ challenge, code: user.app.next() }, elsewhere);
    const outcomes: unknown[] = [];
    for (let guess = 0; guess < 19; guess += 1) outcomes.push(await passwordFrom('a wrong password'));
    expect(outcomes).toEqual(Array(19).fill('unauthorized'));
  });
});

const codeOf = (error: unknown): string => (AuthError.is(error) ? error.code : String(error));

describe('cookie mode', () => {
  it('the tokens of a completed sign-in are set as cookies', async () => {
    const own = await startTestService({ env: { AUTH_WEB_COOKIE_MODE: 'true' } });
    try {
      const user = await enrolledUser(own);
      const { challenge } = await challengeOf(own, user);
      const answer = await own.api('POST', '/auth/login/second-factor', {
        body: { challenge, code: user.app.next() },
        headers: { 'x-auth-mode': 'cookie' },
      });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.data).toEqual({ expiresIn: 900, tokenType: 'Bearer' });
      expect(String(answer.headers['set-cookie'])).toMatch(/__Host-lk_access=.*__Host-lk_refresh=/);
    } finally {
      await own.stop();
    }
  });
});
