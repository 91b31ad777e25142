import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { mintTokens, signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { INTERNAL_KEY, startTestService, type TestService } from '../support/service.js';
import type { NewTestUser, TestUser } from '../support/test-users.js';

const SA = 'PLATFORM_SUPERADMIN';
const PA = 'PLATFORM_ADMIN';
const PM = 'PLATFORM_MODERATOR';

let service: TestService;
let superadmin: SignedInTestUser;
let person: SignedInTestUser;

beforeAll(async () => {
  service = await startTestService();
  superadmin = await signedInUser(service, { role: SA });
  person = await signedInUser(service);
});

afterAll(() => service.stop());

const asStaff = (method: string, path: string, body?: unknown, token = superadmin.token): Promise<Answer> =>
  service.api(method, `/internal/users${path}`, { token, ...(body !== undefined && { body }) });

const login = ({ email, password }: TestUser): Promise<Answer> =>
  service.api('POST', '/auth/login', { body: { email, password } });

const me = (token: string): Promise<Answer> => service.api('GET', '/auth/me', { token });

async function stateOf(userId: string): Promise<{ tokenVersion: unknown; revoked: unknown }> {
  const [row] = await service.sql(
    `SELECT token_version, (SELECT count(*)::int FROM sessions WHERE user_id = u.id AND is_revoked) AS revoked
     FROM users u WHERE id = $1`,
    [userId],
  );
  return { tokenVersion: row?.token_version, revoked: row?.revoked };
}

/** A user as shown on `/internal/users`: every field, and no other. */
const USER_SHAPE = {
  id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
  email: expect.any(String) as string,
  fullName: expect.any(String) as string,
  name: expect.any(String) as string,
  authProvider: 'password',
  globalRole: 'NONE',
  approvalStatus: 'APPROVED',
  isActive: true,
  tokenVersion: 1,
  createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
  updatedAt: expect.stringMatching(/Z$/) as string,
  emailVerifiedAt: expect.stringMatching(/Z$/) as string,
};

describe('access to the staff routes', () => {
  const PATHS = (id: string): [string, string][] => [
    ['GET', ''],
    ['POST', ''],
    ['GET', `/${id}`],
    ['PATCH', `/${id}`],
    ['DELETE', `/${id}`],
    ['GET', `/${id}/context`],
    ['POST', `/${id}/revoke-all`],
  ];

  it('a staff route is closed without an access token', async () => {
    for (const [method, path] of PATHS(person.id)) {
      for (const authorization of [undefined, 'Bearer', 'Bearer x.y.z', `Basic ${INTERNAL_KEY}`]) {
        const headers = authorization === undefined ? {} : { authorization };
        const answer = await service.api(method, `/internal/users${path}`, { headers });
        expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
    }
  });

  it('a staff route is closed to users without a platform role, before any input is read', async () => {
    const other = await service.createUser();
    for (const [method, path] of PATHS(other.id)) {
      const answer = await asStaff(method, path, method === 'GET' ? undefined : { bad: true }, person.token);
      expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
    }
    for (const path of [`/${randomUUID()}`, '/not-a-uuid', `/${randomUUID()}/context`]) {
      expect(await asStaff('GET', path, undefined, person.token)).toMatchObject({ status: 403 });
    }
  });

  it('a staff route is not opened by the internal key', async () => {
    const both = { headers: { 'x-internal-api-key': INTERNAL_KEY }, token: person.token };
    expect((await service.machine('GET', '/internal/users')).status).toBe(401);
    expect((await service.api('GET', '/internal/users', both)).status).toBe(403);
  });
});

describe('unknown and malformed ids', () => {
  const id = randomUUID();

  it.each([
    ['GET', `/${id}`, undefined],
    ['PATCH', `/${id}`, { fullName: 'X' }],
    ['DELETE', `/${id}`, undefined],
    ['GET', `/${id}/context`, undefined],
    ['POST', `/${id}/revoke-all`, undefined],
  ])('%s %s of an unknown user is not found', async (method, path, body) => {
    expect(await asStaff(method, path, body)).toMatchObject({ status: 404, code: 'not_found' });
  });

  it.each([
    'x',
    '11111111111111111111111111111111',
    `{${id}}`,
    `urn:uuid:${id}`,
    `${id}0`,
    '%00',
    `${id}%20`,
  ])('the id %s is refused', async (bad) => {
    for (const path of [`/${bad}`, `/${bad}/context`]) {
      expect(await asStaff('GET', path)).toMatchObject({ status: 400, code: 'validation_error' });
    }
    expect(await asStaff('PATCH', `/${bad}`, { fullName: 'X' })).toMatchObject({ status: 400 });
    expect(await asStaff('DELETE', `/${bad}`)).toMatchObject({ status: 400 });
    expect(await asStaff('POST', `/${bad}/revoke-all`)).toMatchObject({ status: 400 });
  });

  it('an id may be written in capitals', async () => {
    const answer = await asStaff('GET', `/${person.id.toUpperCase()}`);
    expect(answer).toMatchObject({ status: 200, data: { id: person.id } });
  });
});

describe('creating a user', () => {
  it('creating a user needs an email only; without a password the user cannot sign in', async () => {
    const answer = await asStaff('POST', '', { email: ' New.User@Example.com ' });
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({ ...USER_SHAPE, email: 'new.user@example.com', fullName: null, name: null });
    const attempt = await login({ ...person, email: 'new.user@example.com' });
    expect(attempt).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('creating a user with a password makes a user who can sign in', async () => {
    const body = { email: 'with-password@example.com', password: 'a fine long password', fullName: 'Grace' };
    expect((await asStaff('POST', '', body)).status).toBe(201);
    const answer = await service.api('POST', '/auth/login', {
      body: { email: body.email, password: body.password },
    });
    expect(answer.status).toBe(200);
  });

  it('creating a user takes every field it knows and drops the rest', async () => {
    const wanted = {
      email: 'full@example.com',
      fullName: 'Full',
      phonePrefix: '+49',
      phoneNumber: '123456',
      profilePictureUrl: 'https://example.com/a.png',
      authProvider: 'google',
      globalRole: PM,
      approvalStatus: 'PENDING',
      isActive: false,
    };
    const dropped = { id: randomUUID(), tokenVersion: 7, legacyIds: { crm: '1' }, passwordHash: 'x' };
    const answer = await asStaff('POST', '', { ...wanted, ...dropped });
    expect(answer.data).toEqual({ ...USER_SHAPE, ...wanted, name: 'Full' });
    expect(answer.data.id).not.toBe(dropped.id);
    const columns = 'token_version, legacy_ids, password_hash';
    expect(await service.sql(`SELECT ${columns} FROM users WHERE email = $1`, [wanted.email])).toEqual([
      { token_version: 1, legacy_ids: {}, password_hash: null },
    ]);
  });

  it('creating a user with a taken email is a conflict, in any spelling', async () => {
    for (const email of [person.email, ` ${person.email.toUpperCase()} `]) {
      expect(await asStaff('POST', '', { email })).toMatchObject({ status: 409, code: 'conflict' });
    }
  });

  it.each([
    {},
    { email: 'a@b' },
    { email: 'ok@example.com', password: 'seven77' },
    { email: 'ok@example.com', password: '' },
    { email: 'ok@example.com', globalRole: 'ADMIN' },
    { email: 'ok@example.com', fullName: ' ' },
    { email: 'ok@example.com', isActive: 'yes' },
  ])('creating a user with %j is refused and leaves no user', async (body) => {
    expect(await asStaff('POST', '', body)).toMatchObject({ status: 400, code: 'validation_error' });
    expect(await service.sql(`SELECT 1 FROM users WHERE email = 'ok@example.com'`)).toEqual([]);
  });
});

describe('approving and rejecting', () => {
  it('an approved and activated user signs in', async () => {
    const user = await service.createUser({ approval: 'PENDING' });
    expect(await login(user)).toMatchObject({ status: 403, code: 'pending_approval' });
    const answer = await asStaff('PATCH', `/${user.id}`, { approvalStatus: 'APPROVED', isActive: true });
    expect(answer.data).toMatchObject({ approvalStatus: 'APPROVED', isActive: true });
    expect((await login(user)).status).toBe(200);
  });

  it('approval does not activate, activation does not approve', async () => {
    const approved = await service.createUser({ approval: 'PENDING' });
    await asStaff('PATCH', `/${approved.id}`, { approvalStatus: 'APPROVED' });
    expect(await login(approved)).toMatchObject({ status: 403, code: 'account_inactive' });

    const active = await service.createUser({ approval: 'PENDING' });
    await asStaff('PATCH', `/${active.id}`, { isActive: true });
    expect(await login(active)).toMatchObject({ status: 403, code: 'pending_approval' });
  });

  it('a rejected user gets registration_rejected', async () => {
    const user = await service.createUser({ approval: 'PENDING' });
    await asStaff('PATCH', `/${user.id}`, { approvalStatus: 'REJECTED' });
    expect(await login(user)).toMatchObject({ status: 403, code: 'registration_rejected' });
  });
});

describe('deactivating', () => {
  it.each([
    ['DELETE', undefined],
    ['PATCH', { isActive: false }],
  ])('deactivating by %s %j ends everything at once', async (method, body) => {
    const user = await signedInUser(service);
    const second = await mintTokens(service, user.id);
    const answer = await asStaff(method, `/${user.id}`, body);
    expect(answer).toMatchObject({ status: 200, data: { id: user.id, isActive: false, tokenVersion: 2 } });

    expect(await login(user)).toMatchObject({ status: 403, code: 'account_inactive' });
    for (const { token, refreshToken } of [user, second]) {
      expect(await me(token)).toMatchObject({ status: 401, code: 'session_revoked' });
      const refresh = await service.api('POST', '/auth/refresh', { body: { refreshToken } });
      expect(refresh).toMatchObject({ status: 401, code: 'session_revoked' });
    }
  });

  it('deactivating twice is fine and changes nothing the second time', async () => {
    const user = await service.createUser();
    const first = await asStaff('DELETE', `/${user.id}`);
    const second = await asStaff('DELETE', `/${user.id}`);
    expect(second).toMatchObject({
      status: 200,
      data: { isActive: false, tokenVersion: first.data.tokenVersion },
    });
  });
});

describe('a patch', () => {
  it.each([{}, { foo: 1 }, { email: 'new@example.com' }, { password: 'a fine long password' }])(
    '%j changes nothing that staff may change, so it is refused',
    async (body) => {
      const answer = await asStaff('PATCH', `/${person.id}`, body);
      expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
    },
  );

  it('an empty string clears phone and picture; absent fields stay', async () => {
    const user = await service.createUser();
    const contact = { phonePrefix: '+49', phoneNumber: '123456', profilePictureUrl: 'https://example.com/a' };
    expect((await asStaff('PATCH', `/${user.id}`, contact)).data).toMatchObject(contact);
    const cleared = await asStaff('PATCH', `/${user.id}`, { phonePrefix: '', profilePictureUrl: '' });
    expect(cleared.data).toMatchObject({ phoneNumber: '123456', fullName: user.fullName });
    expect(cleared.data).not.toHaveProperty('phonePrefix');
    expect(cleared.data).not.toHaveProperty('profilePictureUrl');
  });

  it('a patch moves updatedAt and no other field that the request does not name', async () => {
    const user = await service.createUser();
    const before = await asStaff('GET', `/${user.id}`);
    const after = await asStaff('PATCH', `/${user.id}`, { fullName: 'Grace', authProvider: 'sso' });
    expect(after.data).toEqual({
      ...before.data,
      fullName: 'Grace',
      name: 'Grace',
      authProvider: 'sso',
      updatedAt: after.data.updatedAt,
    });
    expect(Date.parse(String(after.data.updatedAt))).toBeGreaterThan(
      Date.parse(String(before.data.updatedAt)),
    );
  });

  it('a refused field leaves the others unwritten', async () => {
    const user = await service.createUser();
    const answer = await asStaff('PATCH', `/${user.id}`, { fullName: 'Grace', phoneNumber: 'x' });
    expect(answer.status).toBe(400);
    expect(answer.message).toContain('phoneNumber');
    expect((await asStaff('GET', `/${user.id}`)).data).toMatchObject({ fullName: user.fullName });
  });
});

describe('issued access tokens', () => {
  const CASES: [string, NewTestUser, object, { raised: boolean; ended: boolean }][] = [
    ['a new role', {}, { globalRole: PM }, { raised: true, ended: false }],
    ['a lost role', { role: PA }, { globalRole: 'NONE' }, { raised: true, ended: false }],
    ['the role they had', { role: PA }, { globalRole: PA }, { raised: false, ended: false }],
    ['a withdrawn approval', {}, { approvalStatus: 'PENDING' }, { raised: true, ended: true }],
    ['a rejection', {}, { approvalStatus: 'REJECTED' }, { raised: true, ended: true }],
    ['a deactivation', {}, { isActive: false }, { raised: true, ended: true }],
    [
      'a repeated approval',
      {},
      { approvalStatus: 'APPROVED', isActive: true },
      { raised: false, ended: false },
    ],
    ['a new name', {}, { fullName: 'Grace' }, { raised: false, ended: false }],
    ['another provider', {}, { authProvider: 'google' }, { raised: false, ended: false }],
  ];

  it.each(CASES)(
    'the access token of a user after %s: %j %j → %j',
    async (_what, wanted, body, { raised, ended }) => {
      const user = await signedInUser(service, wanted);
      expect((await asStaff('PATCH', `/${user.id}`, body)).status).toBe(200);
      expect(await stateOf(user.id)).toEqual({ tokenVersion: raised ? 2 : 1, revoked: ended ? 1 : 0 });
      const answer = await me(user.token);
      if (ended) expect(answer).toMatchObject({ status: 401, code: 'session_revoked' });
      else expect(answer.status).toBe(raised ? 401 : 200);
    },
  );

  it('access tokens outdated by a new role are renewed by a refresh, which carries it', async () => {
    const user = await signedInUser(service);
    await asStaff('PATCH', `/${user.id}`, { globalRole: PM });
    expect(await me(user.token)).toMatchObject({ status: 401, code: 'unauthorized' });
    const refreshed = await service.api('POST', '/auth/refresh', {
      body: { refreshToken: user.refreshToken },
    });
    expect((await me(refreshed.data.accessToken)).data).toMatchObject({ globalRole: PM, tokenVersion: 2 });
  });

  it('access tokens of a demoted administrator open no staff route any more', async () => {
    const admin = await signedInUser(service, { role: PA });
    expect((await asStaff('GET', '', undefined, admin.token)).status).toBe(200);
    await asStaff('PATCH', `/${admin.id}`, { globalRole: 'NONE' });
    expect((await asStaff('GET', '', undefined, admin.token)).status).toBe(401);
    const { token } = await mintTokens(service, admin.id);
    expect((await asStaff('GET', '', undefined, token)).status).toBe(403);
  });
});

describe('the context of a user', () => {
  it('the context of a user is the user with all active memberships', async () => {
    const user = await service.createUser();
    const [companyId, unitId] = [randomUUID(), randomUUID()];
    await service.sql(
      `INSERT INTO company_memberships (id, user_id, company_id, role, is_active, approval_limit)
       VALUES ($1, $2, $3, 'ADMIN', true, '1000.50'), ($4, $2, $5, 'MEMBER', false, NULL)`,
      [randomUUID(), user.id, companyId, randomUUID(), randomUUID()],
    );
    await service.sql(
      `INSERT INTO business_unit_memberships (id, user_id, company_id, business_unit_id) VALUES ($1, $2, $3, $4)`,
      [randomUUID(), user.id, companyId, unitId],
    );
    const answer = await asStaff('GET', `/${user.id}/context`);
    expect(Object.keys(answer.data)).toEqual(['user', 'companyMemberships', 'businessUnitMemberships']);
    expect(answer.data).toMatchObject({
      user: { ...USER_SHAPE, id: user.id, email: user.email },
      companyMemberships: [{ userId: user.id, companyId, role: 'ADMIN', approvalLimit: '1000.50' }],
      businessUnitMemberships: [{ userId: user.id, companyId, businessUnitId: unitId }],
    });
  });

  it('the context of a user without memberships has two empty lists', async () => {
    const answer = await asStaff('GET', `/${person.id}/context`);
    expect(answer.data).toMatchObject({ companyMemberships: [], businessUnitMemberships: [] });
  });

  it('the context of a user is open to the internal key; its header, when present, decides alone', async () => {
    const path = `/internal/users/${person.id}/context`;
    const call = (key: string | undefined, token?: string) =>
      service.api('GET', path, { token, headers: key === undefined ? {} : { 'x-internal-api-key': key } });
    const statuses = [
      await call(INTERNAL_KEY),
      await call(INTERNAL_KEY, 'no-token'),
      await call('wrong', superadmin.token),
      await call('', superadmin.token),
      await call(undefined, superadmin.token),
      await call(undefined),
    ].map(({ status, code }) => [status, code]);
    expect(statuses).toEqual([
      [200, undefined],
      [200, undefined],
      [403, 'forbidden'],
      [403, 'forbidden'],
      [200, undefined],
      [401, 'unauthorized'],
    ]);
  });
});
