import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAuth, readSettings } from '@latchkey/core';
import type { Company } from '../../examples/core-service/company.js';
import { CoreService } from '../../examples/core-service/core-service.js';
import type { Fault } from '../../examples/core-service/fault.js';
import { startupFacts } from '../../packages/server/src/startup-facts.js';
import { startupSummary } from '../../packages/server/src/startup-summary.js';
import { freePort } from '../../tools/shared/free-port.mjs';
import type { Answer } from '../support/api-client.js';
import { expectWithin } from '../support/assert-response.js';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { createTestDatabase } from '../support/test-database.js';
import { testKeys } from '../support/test-keys.js';
import type { NewTestUser } from '../support/test-users.js';

const CORE_KEY = 'key-of-the-core-service';
const UNAVAILABLE = { status: 503, code: 'service_unavailable' };
const FORBIDDEN = { status: 403, code: 'forbidden' };

let core: CoreService;
let service: TestService;

const coreSettings = (url: string) => ({
  CORE_BASE_URL: url,
  CORE_INTERNAL_API_KEY: CORE_KEY,
  CORE_TIMEOUT: '2',
});

beforeAll(async () => {
  core = await CoreService.start({ apiKey: CORE_KEY });
  service = await startTestService({ env: coreSettings(core.url) });
});

afterEach(() => {
  core.fault = undefined;
});

afterAll(async () => {
  await service.stop();
  await core.stop();
});

/** Creates a company with these facts in the core service. */
function company(entitlements: Company): string {
  const id = randomUUID();
  core.set(id, entitlements);
  return id;
}

async function place(userId: string, companyId: string, fields: object = {}, at = service): Promise<void> {
  const path = `/internal/admin/companies/${companyId}/memberships`;
  const answer = await at.machine('POST', path, { body: { userId, ...fields } });
  expect(answer.status, answer.text).toBe(200);
}

/** Creates a signed-in member of the company. */
async function member(
  companyId: string,
  fields: object = {},
  wanted: NewTestUser = {},
): Promise<SignedInTestUser> {
  const user = await signedInUser(service, wanted);
  await place(user.id, companyId, fields);
  return user;
}

const access = (user: { token: string }, org: string | string[] | undefined, at = service): Promise<Answer> =>
  at.api('GET', '/auth/me/access', {
    token: user.token,
    headers: org === undefined ? {} : { 'x-org': org },
  });

const modulesOf = async (user: { token: string }, companyId: string): Promise<unknown> =>
  (await access(user, companyId)).data.modules;

const GRANT = (moduleKey: string) => ({ moduleKey, effect: 'GRANT', source: 'MEMBER' });
const TEAM_GRANT = (moduleKey: string) => ({ ...GRANT(moduleKey), source: 'TEAM', teamId: randomUUID() });
const DENY = (moduleKey: string) => ({ moduleKey, effect: 'DENY', source: 'MEMBER' });

describe('the access answer', () => {
  it('the access answer is flat: modules, permissions, delegation and metadata, every list sorted', async () => {
    const companyId = company({
      modules: ['b', 'c', 'a'],
      accessPolicyMode: 'LEGACY',
      permissions: ['write', 'read'],
    });
    const user = await member(companyId, {
      role: 'CLERK',
      moduleGrants: ['c', 'b', 'old'],
      permissionGrants: ['write', 'read', 'erase'],
      delegation: { canManageUsers: true, grantableModules: ['old', 'a'], grantablePermissions: ['erase'] },
    });
    const units = [randomUUID(), randomUUID()].toSorted();
    for (const unit of units.toReversed()) {
      const path = `/internal/admin/companies/${companyId}/business-units/${unit}/memberships`;
      await service.machine('POST', path, { body: { userId: user.id } });
    }

    const answer = await access(user, companyId.toUpperCase());
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.data).toEqual({
      modules: ['b', 'c'],
      permissions: ['read', 'write'],
      delegation: {
        canManageUsers: true,
        canBuyAddons: false,
        grantableModules: ['a'],
        grantablePermissions: [],
      },
      metadata: {
        companyId,
        userId: user.id,
        role: 'CLERK',
        globalRole: 'NONE',
        accessPolicyMode: 'LEGACY',
        businessUnitIds: units,
        entitledModules: ['a', 'b', 'c'],
        resolvedAt: expect.any(String) as string,
      },
    });
  });

  it('the access answer contains business units and grants of the named company only', async () => {
    const [here, there] = [company({ modules: ['a', 'b'] }), company({ modules: ['a', 'b'] })];
    const user = await member(here, { moduleGrants: ['a'] });
    await place(user.id, there, { moduleGrants: ['b'], permissionGrants: ['read'] });
    expect((await access(user, here)).data).toMatchObject({ modules: ['a'], permissions: [] });
    expect((await access(user, there)).data).toMatchObject({ modules: ['b'], permissions: ['read'] });
  });

  it('the access answer of a TENANT_SUPERADMIN delegates everything the company has', async () => {
    const companyId = company({ modules: ['b', 'a'] });
    const user = await member(companyId, { role: 'TENANT_SUPERADMIN' });
    expect((await access(user, companyId)).data.delegation).toMatchObject({
      canManageUsers: true,
      canBuyAddons: true,
      grantableModules: ['a', 'b'],
    });
  });
});

describe('the company of an access query', () => {
  it.each([undefined, '', 'x', 'null', '123', `${randomUUID()}0`])('%j is no company', async (org) => {
    const user = await signedInUser(service);
    expect(await access(user, org)).toMatchObject({ status: 400, code: 'validation_error' });
  });

  it('a company named twice is refused', async () => {
    const companyId = company({ modules: [] });
    const user = await member(companyId);
    expect(await access(user, [companyId, companyId])).toMatchObject({ status: 400 });
  });

  it('the company is checked after the token', async () => {
    expect(await service.api('GET', '/auth/me/access')).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('a company without a membership of the caller is forbidden, and the core service is not asked', async () => {
    const companyId = company({ modules: ['a'] });
    const [stranger, moderator] = [
      await signedInUser(service),
      await signedInUser(service, { role: 'PLATFORM_MODERATOR' }),
    ];
    const calls = core.calls;
    expect(await access(stranger, companyId)).toMatchObject(FORBIDDEN);
    expect(await access(moderator, companyId)).toMatchObject(FORBIDDEN);
    expect(core.calls).toBe(calls);
  });

  it('a company with an inactive membership of the caller is forbidden', async () => {
    const companyId = company({ modules: ['a'] });
    const user = await member(companyId, { isActive: false });
    expect(await access(user, companyId)).toMatchObject(FORBIDDEN);
  });

  it('a company that the core service does not know is forbidden', async () => {
    const companyId = randomUUID();
    const user = await member(companyId);
    expect(await access(user, companyId)).toMatchObject(FORBIDDEN);
  });

  it.each(['PLATFORM_SUPERADMIN', 'PLATFORM_ADMIN'] as const)(
    'access is open to a %s who is no member: every entitled module, nothing else',
    async (role) => {
      const companyId = company({ modules: ['b', 'a'], accessPolicyMode: 'ENFORCED', permissions: ['read'] });
      expect((await access(await signedInUser(service, { role }), companyId)).data).toMatchObject({
        modules: ['a', 'b'],
        permissions: [],
        delegation: {
          canManageUsers: false,
          canBuyAddons: false,
          grantableModules: [],
          grantablePermissions: [],
        },
        metadata: { role: null, globalRole: role, businessUnitIds: [] },
      });
    },
  );
});

describe('access under ENFORCED', () => {
  const enforced = () => company({ modules: ['a', 'b', 'c'], accessPolicyMode: 'ENFORCED' });

  it('under ENFORCED rules decide: grants of the member and of teams, minus denies', async () => {
    const companyId = enforced();
    const user = await member(companyId, {
      moduleRules: [GRANT('a'), TEAM_GRANT('b'), TEAM_GRANT('c'), DENY('c'), GRANT('old')],
    });
    expect(await modulesOf(user, companyId)).toEqual(['a', 'b']);
  });

  it('under ENFORCED a member without rules holds nothing', async () => {
    const companyId = enforced();
    expect(await modulesOf(await member(companyId), companyId)).toEqual([]);
  });

  it('under ENFORCED the grant list counts as rules of the member', async () => {
    const companyId = enforced();
    const user = await member(companyId, { moduleGrants: ['b'] });
    expect(await modulesOf(user, companyId)).toEqual(['b']);
  });

  it.each(['TENANT_SUPERADMIN', 'ADMIN'])(
    'under ENFORCED a %s holds everything, denied or not',
    async (role) => {
      const companyId = enforced();
      const user = await member(companyId, { role, moduleGrants: ['a'], moduleRules: [DENY('b')] });
      expect(await modulesOf(user, companyId)).toEqual(['a', 'b', 'c']);
    },
  );
});

describe.each(['LEGACY', 'SHADOW', undefined] as const)('access under %s', (mode) => {
  const legacy = () => company({ modules: ['a', 'b'], ...(mode && { accessPolicyMode: mode }) });

  it('an empty grant list restricts no member, a longer one does', async () => {
    const companyId = legacy();
    expect(await modulesOf(await member(companyId), companyId)).toEqual(['a', 'b']);
    expect(await modulesOf(await member(companyId, { moduleGrants: ['b'] }), companyId)).toEqual(['b']);
  });

  it('the grant list restricts administrators too, and denies do not count', async () => {
    const companyId = legacy();
    for (const role of ['TENANT_SUPERADMIN', 'ADMIN', 'MEMBER']) {
      const user = await member(companyId, { role, moduleGrants: ['a'] });
      expect(await modulesOf(user, companyId)).toEqual(['a']);
    }
    const denied = await member(companyId, { moduleRules: [DENY('a')] });
    expect(await modulesOf(denied, companyId)).toEqual(['a', 'b']);
  });
});

describe('access under SHADOW', () => {
  it('under SHADOW the changes that ENFORCED would make are logged and counted', async () => {
    const companyId = company({ modules: ['a', 'b', 'c'], accessPolicyMode: 'SHADOW' });
    const same = await member(companyId, { moduleGrants: ['a'] });
    const other = await member(companyId, { moduleGrants: ['a', 'b'] });
    await place(other.id, companyId, { moduleRules: [GRANT('b'), GRANT('c')] });
    const before = service.auth.access.shadowCounts;

    expect(await modulesOf(same, companyId)).toEqual(['a']);
    expect(service.log()).not.toContain(`"userId":"${same.id}","lost"`);
    expect(await modulesOf(other, companyId)).toEqual(['a', 'b']);
    expect(service.log()).toContain(`"userId":"${other.id}","lost":["a"],"gained":["c"]`);

    const { compared, different } = service.auth.access.shadowCounts;
    expect([compared - before.compared, different - before.different]).toEqual([2, 1]);
  });
});

describe('a withdrawn entitlement', () => {
  it.each(['ENFORCED', 'LEGACY', 'SHADOW'] as const)(
    'a withdrawn entitlement is gone at the next request under %s',
    async (mode) => {
      const companyId = company({
        modules: ['a', 'b'],
        accessPolicyMode: mode,
        permissions: ['read', 'write'],
      });
      const user = await member(companyId, { moduleGrants: ['a', 'b'], permissionGrants: ['read', 'write'] });
      expect((await access(user, companyId)).data).toMatchObject({
        modules: ['a', 'b'],
        permissions: ['read', 'write'],
      });
      core.set(companyId, { modules: ['b'], accessPolicyMode: mode, permissions: ['read'] });
      expect((await access(user, companyId)).data).toMatchObject({ modules: ['b'], permissions: ['read'] });
    },
  );
});

describe('the core service', () => {
  it('the core service is asked once by twenty simultaneous requests', async () => {
    const companyId = company({ modules: ['a'] });
    const user = await member(companyId);
    core.fault = { kind: 'slow', seconds: 0.5 };
    const calls = core.calls;
    const answers = await Promise.all(Array.from({ length: 20 }, () => access(user, companyId)));
    expect(answers.map(({ data }) => data.modules)).toEqual(Array(20).fill(['a']));
    expect(core.calls - calls).toBe(1);
  });

  it('the core service is asked by each of several consecutive requests', async () => {
    const companyId = company({ modules: ['a'] });
    const user = await member(companyId);
    const calls = core.calls;
    for (let request = 0; request < 3; request++) await access(user, companyId);
    expect(core.calls - calls).toBe(3);
  });

  it('a core service that answers without the envelope is understood', async () => {
    const companyId = company({ modules: [] });
    const user = await member(companyId);
    core.fault = { kind: 'text', text: '{"modules":["a"],"extra":1}' };
    expect(await modulesOf(user, companyId)).toEqual(['a']);
  });

  it.each<[string, Fault]>([
    ['takes 30 s', { kind: 'slow', seconds: 30 }],
    ['takes 30 s for its body', { kind: 'slow-body', seconds: 30 }],
    ['answers 500', { kind: 'status', status: 500 }],
    ['answers 401', { kind: 'status', status: 401 }],
    ['answers 204', { kind: 'status', status: 204 }],
    ['redirects', { kind: 'redirect', location: '/elsewhere' }],
    ['answers bad JSON', { kind: 'text', text: '{"modules":["a"' }],
    ['answers nothing', { kind: 'text', text: '' }],
    ['answers modules as text', { kind: 'text', text: '{"modules":"x"}' }],
    ['names an unknown mode', { kind: 'text', text: '{"modules":["a"],"accessPolicyMode":"OPEN"}' }],
    ['answers null as the cap', { kind: 'text', text: '{"modules":["a"],"permissions":null}' }],
    ['reports a failure as 200', { kind: 'text', text: '{"success":false,"data":{"modules":["a"]}}' }],
    ['answers far too much', { kind: 'huge', megabytes: 8 }],
    ['closes every connection', { kind: 'reset', times: 100 }],
  ])('a core service that %s makes access unavailable, and nothing else', async (_what, fault) => {
    const companyId = company({ modules: ['a'] });
    const user = await member(companyId);
    core.fault = fault;
    const answer = await access(user, companyId);
    expect(answer).toMatchObject(UNAVAILABLE);
    expectWithin(5_000, answer);
    expect((await service.api('GET', '/auth/me', { token: user.token })).status).toBe(200);

    core.fault = undefined;
    expect(await modulesOf(user, companyId)).toEqual(['a']);
  });

  it('the core service is never sent the key by way of a redirect', async () => {
    const companyId = company({ modules: ['a'] });
    const user = await member(companyId);
    const elsewhere = await CoreService.start({
      apiKey: CORE_KEY,
      companies: { [companyId]: { modules: ['a'] } },
    });
    core.fault = {
      kind: 'redirect',
      location: `${elsewhere.url}/internal/companies/${companyId}/entitlements`,
    };
    expect(await access(user, companyId)).toMatchObject(UNAVAILABLE);
    expect(elsewhere.calls).toBe(0);
    await elsewhere.stop();
  });

  it('the core service is asked a second time when the connection breaks, not a third time', async () => {
    const companyId = company({ modules: ['a'] });
    const user = await member(companyId);
    const calls = core.calls;
    core.fault = { kind: 'reset', times: 1 };
    expect(await modulesOf(user, companyId)).toEqual(['a']);
    expect(core.calls - calls).toBe(2);
    core.fault = { kind: 'reset', times: 2 };
    expect(await access(user, companyId)).toMatchObject(UNAVAILABLE);
    expect(core.calls - calls).toBe(4);
  });

  it('the core service is not asked a second time after an answer', async () => {
    const companyId = company({ modules: ['a'] });
    const user = await member(companyId);
    const calls = core.calls;
    core.fault = { kind: 'status', status: 500 };
    await access(user, companyId);
    expect(core.calls - calls).toBe(1);
  });

  it('a core service that expects another key makes access unavailable', async () => {
    const stubborn = await serviceForThisTest({
      env: { ...coreSettings(core.url), CORE_INTERNAL_API_KEY: 'another-key' },
    });
    const companyId = company({ modules: ['a'] });
    const user = await signedInUser(stubborn, { role: 'PLATFORM_ADMIN' });
    expect(await access(user, companyId, stubborn)).toMatchObject(UNAVAILABLE);
  });
});

describe('a service without a core service', () => {
  it.each<[string, () => Promise<Record<string, string>>]>([
    ['unset', () => Promise.resolve({})],
    ['refusing connections', async () => coreSettings(`http://127.0.0.1:${await freePort()}`)],
  ])(
    'without a core service (%s) access and the module filter are unavailable, all else works',
    async (_how, env) => {
      const alone = await serviceForThisTest({ env: await env() });
      const companyId = randomUUID();
      const user = await signedInUser(alone);
      await place(user.id, companyId, {}, alone);
      const users = `/internal/admin/companies/${companyId}/users`;
      expect(await access(user, companyId, alone)).toMatchObject(UNAVAILABLE);
      expect(await alone.machine('GET', `${users}?module=a`)).toMatchObject(UNAVAILABLE);
      expect((await alone.machine('GET', users)).items).toHaveLength(1);
      expect((await alone.api('GET', '/auth/me', { token: user.token })).status).toBe(200);
      expect((await alone.api('GET', '/ready')).status).toBe(200);
    },
  );
});

it('a start without a core service logs that, and how to configure one', async () => {
  const alone = await serviceForThisTest();
  const parts = { auth: alone.auth, embedded: undefined, keyFile: undefined, port: 1 };
  expect(startupSummary(startupFacts(parts))).toMatch(
    /core service +not configured; .*CORE_BASE_URL.*npm run example:core/,
  );
});

describe('a host app that provides entitlements', () => {
  it('a host app can provide the entitlements itself', async () => {
    const database = await createTestDatabase();
    const settings = readSettings({
      APP_ENV: 'test',
      DATABASE_URL: database.url,
      JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
    });
    const known = randomUUID();
    const auth = await createAuth(settings, {
      entitlements: (companyId) => (companyId === known ? { modules: ['b', 'a'] } : undefined),
    });
    const admin = {
      userId: randomUUID(),
      globalRole: 'PLATFORM_ADMIN' as const,
      memberships: { companies: [], businessUnits: [] },
    };
    expect((await auth.access.resolve(admin, known)).modules).toEqual(['a', 'b']);
    await expect(auth.access.resolve(admin, randomUUID())).rejects.toMatchObject({ code: 'forbidden' });
    await auth.close();
    await database.drop();
  });
});

describe('the cache of ENTITLEMENTS_CACHE_TTL', () => {
  it('an answer is used again within ENTITLEMENTS_CACHE_TTL', async () => {
    const caching = await serviceForThisTest({
      env: { ...coreSettings(core.url), ENTITLEMENTS_CACHE_TTL: '30' },
    });
    const companyId = company({ modules: ['a'] });
    const user = await signedInUser(caching, { role: 'PLATFORM_ADMIN' });
    const calls = core.calls;
    await access(user, companyId, caching);
    expect((await access(user, companyId, caching)).data.modules).toEqual(['a']);
    expect(core.calls - calls).toBe(1);
  });
});

describe('the access of another user', () => {
  const accessOf = (userId: string, companyId: string, query = ''): Promise<Answer> =>
    service.machine('GET', `/internal/admin/users/${userId}/access${query}`, {
      headers: { 'x-org': companyId },
    });

  it('the access of another user is what they would see themselves', async () => {
    const companyId = company({ modules: ['a', 'b'] });
    const user = await member(companyId, { moduleGrants: ['a'], permissionGrants: ['read'] });
    const own = (await access(user, companyId)).data;
    const { data } = await accessOf(user.id, companyId);
    expect(data).toEqual({
      ...own,
      metadata: { ...(own.metadata as object), resolvedAt: expect.any(String) as string },
    });
  });

  it('the access of another user comes with reasons when asked for', async () => {
    const companyId = company({ modules: ['a', 'b', 'c'], accessPolicyMode: 'ENFORCED' });
    const user = await member(companyId, { moduleRules: [GRANT('a'), DENY('b'), GRANT('old')] });
    expect((await accessOf(user.id, companyId, '?explain=true')).data.explanation).toEqual([
      { moduleKey: 'a', isEffective: true, reason: 'granted' },
      { moduleKey: 'b', isEffective: false, reason: 'denied' },
      { moduleKey: 'c', isEffective: false, reason: 'not_granted' },
      { moduleKey: 'old', isEffective: false, reason: 'not_entitled' },
    ]);
    expect((await accessOf(user.id, companyId, '?explain=false')).data).not.toHaveProperty('explanation');
  });

  it('under SHADOW the access of another user shows beside it what ENFORCED would do', async () => {
    const companyId = company({ modules: ['a'], accessPolicyMode: 'SHADOW' });
    const user = await member(companyId);
    expect((await accessOf(user.id, companyId, '?explain=true')).data.explanation).toEqual([
      { moduleKey: 'a', isEffective: true, reason: 'no_restriction', enforcedReason: 'not_granted' },
    ]);
  });

  it('the access of another user is not found without credentials, for strangers and for users who cannot sign in', async () => {
    const companyId = company({ modules: ['a'] });
    expect(await accessOf(randomUUID(), companyId)).toMatchObject({ status: 404, code: 'not_found' });
    expect(await accessOf((await service.createUser()).id, companyId)).toMatchObject(FORBIDDEN);
    const inactive = await service.createUser({ active: false });
    await place(inactive.id, companyId);
    expect(await accessOf(inactive.id, companyId)).toMatchObject({ status: 403, code: 'account_inactive' });
  });

  it('a query for the access of another user must be well-formed', async () => {
    const { id } = await service.createUser();
    const answers = [
      await service.machine('GET', `/internal/admin/users/${id}/access`),
      await accessOf(id, 'x'),
      await accessOf('x', randomUUID()),
      await accessOf(id, randomUUID(), '?explain=yes'),
      await accessOf(id, randomUUID(), '?explain=true&explain=true'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  });
});

describe('the users of a company who hold a module', () => {
  const holders = async (companyId: string, query: string) => {
    const answer = await service.machine('GET', `/internal/admin/companies/${companyId}/users${query}`);
    expect(answer.status, answer.text).toBe(200);
    return { ids: answer.items.map(({ id }) => id).toSorted(), total: answer.headers['x-total-count'] };
  };

  it('the users who hold a module are found with one call of the core service, under each mode by its rules', async () => {
    const companyId = company({ modules: ['a', 'b'], accessPolicyMode: 'LEGACY' });
    const all = await member(companyId);
    const onlyA = await member(companyId, { moduleGrants: ['a'] });
    const onlyB = await member(companyId, { moduleGrants: ['b'] });
    const admin = await member(companyId, { role: 'ADMIN', moduleGrants: ['b'] });
    const denied = await member(companyId, { moduleGrants: ['a'], moduleRules: [GRANT('a'), DENY('a')] });
    const calls = core.calls;
    expect(await holders(companyId, '?module=a')).toEqual({
      ids: [all.id, onlyA.id, denied.id].toSorted(),
      total: '5',
    });
    core.set(companyId, { modules: ['a', 'b'], accessPolicyMode: 'SHADOW' });
    expect((await holders(companyId, '?module=b')).ids).toEqual([all.id, onlyB.id, admin.id].toSorted());
    core.set(companyId, { modules: ['a', 'b'], accessPolicyMode: 'ENFORCED' });
    expect((await holders(companyId, '?module=a')).ids).toEqual([onlyA.id, admin.id].toSorted());
    expect(core.calls - calls).toBe(3);
  });

  it('no user holds a module that the company does not have', async () => {
    const companyId = company({ modules: ['a'] });
    await member(companyId, { moduleGrants: ['old'] });
    await member(companyId, { role: 'TENANT_SUPERADMIN' });
    expect((await holders(companyId, '?module=old')).ids).toEqual([]);
  });

  it('the users who hold a module are sought on the fetched page only', async () => {
    const companyId = company({ modules: ['a', 'b'] });
    const older = await member(companyId, { moduleGrants: ['a'] });
    await member(companyId, { moduleGrants: ['b'] });
    expect(await holders(companyId, '?module=a&limit=1')).toEqual({ ids: [], total: '2' });
    expect(await holders(companyId, '?module=a&limit=1&offset=1')).toEqual({ ids: [older.id], total: '2' });
    expect((await holders(companyId, '?module=a&limit=1000')).ids).toEqual([older.id]);
  });

  it('users who cannot sign in hold no module', async () => {
    const companyId = company({ modules: ['a'] });
    const inactive = await service.createUser({ active: false });
    const pending = await service.createUser({ approval: 'PENDING' });
    for (const { id } of [inactive, pending]) await place(id, companyId);
    expect((await holders(companyId, '?module=a')).ids).toEqual([]);
  });

  it('the users who hold a module are unknown while the core service is unavailable; the plain list is not', async () => {
    const companyId = company({ modules: ['a'] });
    await member(companyId);
    core.fault = { kind: 'status', status: 500 };
    const path = `/internal/admin/companies/${companyId}/users`;
    expect(await service.machine('GET', `${path}?module=a`)).toMatchObject(UNAVAILABLE);
    expect((await service.machine('GET', path)).items).toHaveLength(1);
  });

  it('the key of the module filter must be well-formed', async () => {
    const path = `/internal/admin/companies/${randomUUID()}/users`;
    for (const query of ['?module=', '?module=a%20b', '?module=a&module=b', `?module=${'a'.repeat(101)}`]) {
      expect(await service.machine('GET', path + query)).toMatchObject({ status: 400 });
    }
  });
});
