import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '@latchkey/express-adapter';
import type { Answer } from '../support/api-client.js';
import { mintTokens, signedInUser } from '../support/minted-token.js';
import { OFFERED_ENV } from '../support/offered-env.js';
import { INTERNAL_KEY, serviceForThisTest, startTestService, type TestService } from '../support/service.js';

const MACHINE_ROUTES = allRoutes
  .filter(({ caller }) => caller.security === 'internal-key')
  .map(
    ({ method, path }, index) =>
      [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, randomUUID()), index] as const,
  );

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ env: { ...OFFERED_ENV, TRUST_PROXY: '1' } });
});

afterAll(() => service.stop());

const users = (method: string, path: string, body?: unknown): Promise<Answer> =>
  service.machine(method, `/internal/admin/users${path}`, body === undefined ? {} : { body });

/** Returns the statuses with these keys presented, one after the other; undefined: no header. */
async function statusesWith(at: TestService, keys: (string | undefined)[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const key of keys) {
    const headers = key === undefined ? {} : { 'x-internal-api-key': key };
    const answer = await at.api('GET', '/internal/admin/session-stats', { headers });
    if (answer.status !== 200) expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
    statuses.push(answer.status);
  }
  return statuses;
}

describe('the machine key', () => {
  it.each(MACHINE_ROUTES)(
    '%s %s requires the machine key, whatever else is presented',
    async (method, path, index) => {
      const { token } = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
      // Wrong keys are limited by address: each route gets one of its own.
      const from = { 'x-forwarded-for': `192.0.2.${index}` };
      for (const headers of [
        {},
        { 'x-internal-api-key': '' },
        { 'x-internal-api-key': `${INTERNAL_KEY}x` },
      ]) {
        const answer = await service.api(method, path, { token, headers: { ...from, ...headers } });
        expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
        expect(answer.headers).not.toHaveProperty('www-authenticate');
      }
    },
  );

  it.each(MACHINE_ROUTES)('%s %s is open with the machine key', async (method, path) => {
    const answer = await service.machine(method, path, { body: {} });
    expect([200, 201, 400, 404]).toContain(answer.status);
  });

  it('the machine key is not taken from the query, a cookie or the Authorization header', async () => {
    const path = '/internal/admin/session-stats';
    const attempts = [
      await service.api('GET', `${path}?x-internal-api-key=${INTERNAL_KEY}`),
      await service.api('GET', path, { headers: { cookie: `x-internal-api-key=${INTERNAL_KEY}` } }),
      await service.api('GET', path, { token: INTERNAL_KEY }),
    ];
    for (const answer of attempts) expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('the machine key is not accepted among several', async () => {
    const headers = { 'x-internal-api-key': [INTERNAL_KEY, 'another key'] };
    const answer = await service.api('GET', '/internal/admin/session-stats', { headers });
    expect([400, 403]).toContain(answer.status);
  });

  it('two machine keys are valid during a change; after it the old one is refused', async () => {
    const [old, fresh] = ['the-old-internal-key', 'the-new-internal-key'];
    const both = await serviceForThisTest({ env: { AUTH_INTERNAL_API_KEY: `${old},${fresh}` } });
    expect(await statusesWith(both, [old, fresh, `${old},${fresh}`, INTERNAL_KEY])).toEqual([
      200, 200, 403, 403,
    ]);

    const after = await serviceForThisTest({ env: { AUTH_INTERNAL_API_KEY: fresh } });
    expect(await statusesWith(after, [old, fresh])).toEqual([403, 200]);
  });

  it('an unset machine key opens nothing, and the routes still exist', async () => {
    const closed = await serviceForThisTest({ env: { ...OFFERED_ENV, AUTH_INTERNAL_API_KEY: '' } });
    const keys = [undefined, '', ' ', 'undefined', 'null', 'false', INTERNAL_KEY];
    expect(await statusesWith(closed, keys)).toEqual(keys.map(() => 403));
    for (const [method, path] of MACHINE_ROUTES) {
      expect(await closed.api(method, path)).toMatchObject({ status: 403, code: 'forbidden' });
    }
  });
});

describe('creating a user', () => {
  it('creating a user returns the whole user, with the identifiers of older systems', async () => {
    const wanted = {
      email: 'machine-made@example.com',
      fullName: 'Machine Made',
      globalRole: 'PLATFORM_SUPERADMIN',
      approvalStatus: 'PENDING',
      isActive: false,
      authProvider: 'microsoft',
      legacyIds: { crm: '4711', 'old shop': 'ü' },
    };
    const answer = await users('POST', '', wanted);
    expect(answer.status).toBe(201);
    expect(answer.data).toMatchObject({ ...wanted, name: 'Machine Made', tokenVersion: 1 });
    expect((await users('GET', `/${answer.data.id}`)).data).toEqual(answer.data);
  });

  it('creating a user needs an email only', async () => {
    const answer = await users('POST', '', { email: 'bare@example.com' });
    expect(answer.data).toMatchObject({
      fullName: null,
      globalRole: 'NONE',
      approvalStatus: 'APPROVED',
      isActive: true,
      authProvider: 'password',
      legacyIds: {},
    });
  });

  it('creating a user with a taken email is a conflict, also for twenty at once', async () => {
    const body = (index: number) => ({
      email: index % 2 === 0 ? 'wanted-by-many@example.com' : 'Wanted-By-MANY@Example.com',
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => users('POST', '', body(index))),
    );
    const codes = answers.map(({ status, code }) => code ?? status).toSorted();
    expect(codes).toEqual([201, ...Array<string>(19).fill('conflict')]);
  });
});

describe('changing an email', () => {
  it('changing an email stores it in its canonical form; the new one signs in, the old one does not', async () => {
    const user = await service.createUser();
    const answer = await users('PATCH', `/${user.id}`, { email: ' Moved.Here@MÜNCHEN.de ' });
    expect(answer.data.email).toBe('moved.here@xn--mnchen-3ya.de');
    const login = (email: string) =>
      service.api('POST', '/auth/login', { body: { email, password: user.password } });
    expect((await login('moved.here@münchen.de')).status).toBe(200);
    expect((await login(user.email)).status).toBe(401);
  });

  it('changing an email to a taken one is a conflict and changes nothing', async () => {
    const [one, other] = [await service.createUser(), await service.createUser()];
    const body = { email: other.email.toUpperCase(), fullName: 'Not Me' };
    expect(await users('PATCH', `/${one.id}`, body)).toMatchObject({ status: 409, code: 'conflict' });
    expect((await users('GET', `/${one.id}`)).data).toMatchObject({
      email: one.email,
      fullName: one.fullName,
    });
  });

  it('changing an email ends outstanding reset links; repeating the present one does not', async () => {
    const user = await service.createUser();
    await service.sql(
      `INSERT INTO password_reset_tokens (id, user_id, token_digest, expires_at)
       VALUES ($1, $2, sha256($3::bytea), now() + interval '30 minutes')`,
      [randomUUID(), user.id, randomUUID()],
    );
    const outstanding = () =>
      service.sql('SELECT 1 FROM password_reset_tokens WHERE user_id = $1 AND revoked_at IS NULL', [user.id]);
    await users('PATCH', `/${user.id}`, { email: ` ${user.email.toUpperCase()}` });
    expect(await outstanding()).toHaveLength(1);
    await users('PATCH', `/${user.id}`, { email: `new-${user.email}` });
    expect(await outstanding()).toHaveLength(0);
  });

  it('changing an email leaves sessions and tokens alone', async () => {
    const user = await signedInUser(service);
    await users('PATCH', `/${user.id}`, { email: `new-${user.email}` });
    const answer = await service.api('GET', '/auth/me', { token: user.token });
    expect(answer).toMatchObject({ status: 200, data: { email: `new-${user.email}`, tokenVersion: 1 } });
  });
});

describe('changing other fields', () => {
  it('a machine needs no role: it promotes, demotes and deactivates', async () => {
    const user = await service.createUser({ role: 'PLATFORM_ADMIN' });
    await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
    const patched = await users('PATCH', `/${user.id}`, {
      globalRole: 'PLATFORM_SUPERADMIN',
      fullName: 'Up',
    });
    expect(patched.data).toMatchObject({
      globalRole: 'PLATFORM_SUPERADMIN',
      fullName: 'Up',
      tokenVersion: 2,
    });
    expect((await users('DELETE', `/${user.id}`)).data).toMatchObject({ isActive: false, tokenVersion: 3 });
  });

  it('a patch clears with empty strings and must not be empty', async () => {
    const user = await service.createUser();
    await users('PATCH', `/${user.id}`, { phoneNumber: '123456' });
    expect((await users('PATCH', `/${user.id}`, { phoneNumber: '' })).data).not.toHaveProperty('phoneNumber');
    expect(await users('PATCH', `/${user.id}`, {})).toMatchObject({ status: 400, code: 'validation_error' });
  });

  it('a deactivation ends the sessions of the user at once', async () => {
    const user = await signedInUser(service);
    expect((await users('DELETE', `/${user.id}`)).status).toBe(200);
    expect((await service.api('GET', '/auth/me', { token: user.token })).code).toBe('session_revoked');
  });
});

describe('unknown and malformed ids', () => {
  it('an unknown user is not found', async () => {
    const id = randomUUID();
    const answers = [
      await users('GET', `/${id}`),
      await users('PATCH', `/${id}`, { fullName: 'X' }),
      await users('DELETE', `/${id}`),
      await users('GET', `/${id}/context`),
      await users('POST', `/${id}/revoke-all`),
      await users('GET', `/${id}/sessions`),
      await users('POST', `/${id}/sessions`),
    ];
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 'not_found'));
  });

  it('a bad id is refused', async () => {
    for (const [method, path] of MACHINE_ROUTES.filter(([, path]) => /[0-9a-f]{8}-/.test(path))) {
      const bad = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'not-a-uuid');
      expect(await service.machine(method, bad, { body: {} })).toMatchObject({ status: 400 });
    }
  });
});

describe('minting a session', () => {
  const mint = (id: string) => users('POST', `/${id}/sessions`);

  it('minting a session returns a pair of tokens like a sign-in, marked as minted', async () => {
    const user = await service.createUser({ password: null });
    const answer = await mint(user.id);
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.data).toSorted()).toEqual([
      'accessToken',
      'expiresIn',
      'refreshToken',
      'tokenType',
    ]);

    const [, payload = ''] = answer.data.accessToken.split('.');
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(claims).toMatchObject({ sub: user.id, amr: ['mca'], globalRole: 'NONE', tokenVersion: 1 });
    expect((await service.api('GET', '/auth/me', { token: answer.data.accessToken })).data.id).toBe(user.id);
    const refresh = await service.api('POST', '/auth/refresh', {
      body: { refreshToken: answer.data.refreshToken },
    });
    expect(refresh.status).toBe(200);
    expect(await service.sql('SELECT origin FROM sessions WHERE user_id = $1', [user.id])).toEqual([
      { origin: 'minted' },
    ]);
  });

  it('minting a session is no login of the user', async () => {
    const user = await service.createUser();
    await mintTokens(service, user.id);
    expect((await users('GET', `/${user.id}`)).data).not.toHaveProperty('lastLoginAt');
  });

  it.each([
    [{ approval: 'PENDING' }, 'pending_approval'],
    [{ approval: 'REJECTED' }, 'registration_rejected'],
    [{ active: false }, 'account_inactive'],
  ] as const)('minting a session for a user with %j is refused as %s', async (wanted, code) => {
    const user = await service.createUser(wanted);
    expect(await mint(user.id)).toMatchObject({ status: 403, code });
    expect(await service.sql('SELECT 1 FROM sessions WHERE user_id = $1', [user.id])).toEqual([]);
  });
});
