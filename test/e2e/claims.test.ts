import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAuth, type ClaimsSubject } from '@latchkey/core';
import { mintTokens, signedInUser } from '../support/minted-token.js';
import { PASSKEY_ENV } from '../support/passkey-client.js';
import { INTERNAL_KEY, startTestService, type TestService } from '../support/service.js';
import { WAYS_IN, WAY_IN_NAMES } from '../support/ways-to-sign-in.js';

let service: TestService;
let asked: ClaimsSubject[] = [];

const usual = (about: ClaimsSubject): Record<string, unknown> => ({
  plan: { name: 'gold', seats: 3 },
  staff: about.globalRole !== 'NONE',
  how: about.amr.join('+'),
});
/** Methods of RFC 8176 for each way to sign in. */
const HOW = { password: 'pwd', passkey: 'hwk+user+mfa', handoff: 'mca+otp', invitation: 'pwd' };
let claims: typeof usual = usual;

beforeAll(async () => {
  const extensions = {
    claims: (about: ClaimsSubject) => {
      asked.push(about);
      return claims(about);
    },
  };
  service = await startTestService({ env: { ...PASSKEY_ENV, SESSION_CACHE_TTL: '30' }, extensions });
});
afterEach(() => {
  claims = usual;
  asked = [];
});
afterAll(() => service.stop());

const refresh = (refreshToken: string) =>
  service.client.send('POST', '/auth/refresh', { body: { refreshToken } });
const sessionsOf = (email: string) =>
  service.sql('SELECT s.id FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1', [email]);

describe('the claims of access tokens', () => {
  it.each(WAY_IN_NAMES)(
    'an access token carries the claims after a sign-in by %s, and after a refresh',
    async (way) => {
      const { send } = await WAYS_IN[way](service);
      asked = [];
      const answer = await send();
      expect(answer.status, answer.text).toBe(200);
      const token = decodeJwt(answer.data.accessToken);
      expect(token).toMatchObject({ plan: { name: 'gold', seats: 3 }, staff: false, how: HOW[way] });
      const { sub: userId, sid: sessionId, globalRole, auth_time: authTime, amr, acr } = token;
      const subject = { userId, sessionId, globalRole, authTime, amr, acr };
      expect(asked).toEqual([subject]);

      const refreshed = decodeJwt((await refresh(answer.data.refreshToken)).data.accessToken);
      expect(refreshed).toMatchObject({ plan: { name: 'gold', seats: 3 }, staff: false, how: token.how });
      expect(asked).toEqual([subject, subject]);
    },
  );

  it('a minted access token carries the claims, with the current role', async () => {
    const { id, token, refreshToken } = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    expect(decodeJwt(token)).toMatchObject({ staff: true, how: 'mca' });
    await service.sql(`UPDATE users SET global_role = 'NONE' WHERE id = $1`, [id]);
    const refreshed = await refresh(refreshToken);
    expect(decodeJwt(refreshed.data.accessToken)).toMatchObject({ staff: false, globalRole: 'NONE' });
  });

  it('an access token carries the claims also when several requests share one successor', async () => {
    const { refreshToken } = await signedInUser(service);
    const answers = await Promise.all([1, 2, 3].map(() => refresh(refreshToken)));
    expect(new Set(answers.map(({ data }) => data.refreshToken)).size).toBe(1);
    for (const { data } of answers) expect(decodeJwt(data.accessToken)).toMatchObject({ how: 'mca' });
  });
});

it('a verified token returns its claims, by all three ways, and they cannot be changed', async () => {
  const { token } = await signedInUser(service);
  const { authenticator } = service.auth;
  const expected = { plan: { name: 'gold', seats: 3 }, staff: false, how: 'mca' };
  const first = await authenticator.authenticate(token);
  expect(first.claims).toEqual(expected);
  expect(() => Object.assign(first.claims.plan as object, { seats: 99 })).toThrow(TypeError);
  expect((await authenticator.authenticateWithMemberships(token)).claims).toEqual(expected);
  // The first asks the database, the second is answered by the hint.
  for (let turn = 0; turn < 2; turn++) {
    expect((await authenticator.authenticateByHint(token)).claims).toEqual(expected);
  }
});

describe('a claims function that fails at run time', () => {
  const breaches: [string, typeof usual][] = [
    ['throws', () => fail('the plans are gone')],
    ['gives a promise', () => Promise.resolve({}) as unknown as Record<string, unknown>],
    ['gives a reserved name', () => ({ globalRole: 'PLATFORM_SUPERADMIN' })],
    ['gives too much', () => ({ text: 'x'.repeat(2000) })],
  ];
  it.each(breaches)(
    'a claims function that fails because it %s leaves no session behind',
    async (_how, breach) => {
      const { email, send } = await WAYS_IN.password(service);
      claims = breach;
      const refused = { status: 500, code: 'internal_error', message: 'Something went wrong on our side.' };
      expect(await send()).toMatchObject(refused);
      expect(await sessionsOf(email)).toEqual([]);
      expect(
        await service.sql('SELECT 1 FROM users WHERE email = $1 AND last_login_at IS NOT NULL', [email]),
      ).toEqual([]);
      claims = usual;
      expect(await send()).toMatchObject({ status: 200 });
    },
  );

  it('a failure of the claims function is logged with its reason, which the client does not see', async () => {
    const { send } = await WAYS_IN.password(service);
    claims = () => fail('the plans are gone for everybody');
    expect((await send()).text).not.toContain('plans');
    expect(service.log()).toContain('the plans are gone for everybody');
  });

  it('a failure of the claims function spends no refresh token', async () => {
    const { refreshToken } = await signedInUser(service);
    claims = () => fail('the plans are gone');
    for (let turn = 0; turn < 2; turn++) {
      expect(await refresh(refreshToken)).toMatchObject({ status: 500, code: 'internal_error' });
    }
    claims = usual;
    expect(await refresh(refreshToken)).toMatchObject({ status: 200 });
  });

  it('a failure of the claims function writes nothing of an accepted invitation, which stays open', async () => {
    const { email, send } = await WAYS_IN.invitation(service);
    claims = () => fail('the plans are gone');
    expect(await send()).toMatchObject({ status: 500 });
    expect(await service.sql('SELECT 1 FROM users WHERE email = $1', [email])).toEqual([]);
    claims = usual;
    expect(await send()).toMatchObject({ status: 200 });
  });

  it('a failure of the claims function mints nothing', async () => {
    const { id, email } = await service.createUser();
    claims = () => fail('the plans are gone');
    const headers = { 'x-internal-api-key': INTERNAL_KEY };
    const minted = await service.client.send('POST', `/internal/admin/users/${id}/sessions`, { headers });
    expect(minted.status).toBe(500);
    expect(await sessionsOf(email)).toEqual([]);
    claims = usual;
    await mintTokens(service, id);
  });
});

describe('claims functions that createAuth refuses', () => {
  const build = (wrong: unknown) =>
    createAuth(service.auth.settings, { claims: wrong as typeof usual }).then(() => 'built');

  it.each<[string, unknown, string]>([
    ['what is no function', { plan: 'gold' }, 'createAuth: claims must be a function such as'],
    [
      'an asynchronous function that fails',
      async () => Promise.reject(new Error('unheard')),
      'synchronous and pure',
    ],
    ['an asynchronous function', async () => Promise.resolve({}), 'it is synchronous and pure'],
    ['a reserved name', () => ({ scope: 'all' }), 'claims gave scope: these names belong to the service'],
    [
      'one that fails for some',
      failingForAdmins,
      'for a sample user of role PLATFORM_ADMIN: no plan for admins',
    ],
    [
      'one that changes its argument',
      (about: ClaimsSubject) => Object.assign(about, { a: 1 }),
      'sample user',
    ],
    ['one that gives nothing', () => undefined, 'claims must give a plain object'],
  ])('createAuth refuses %s', async (_what, wrong, message) => {
    await expect(build(wrong)).rejects.toThrow(TypeError);
    await expect(build(wrong)).rejects.toThrow(message);
  });
});

function failingForAdmins({ globalRole }: ClaimsSubject): Record<string, unknown> {
  if (globalRole === 'PLATFORM_ADMIN') throw new Error('no plan for admins');
  return {};
}

function fail(why: string): never {
  throw new Error(why);
}
