import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createGuards, getAccess } from '@latchkey/express-adapter';
import type { Company } from '../../examples/core-service/company.js';
import { CoreService } from '../../examples/core-service/core-service.js';
import type { Answer } from '../support/api-client.js';
import { startGuardedHost, type GuardedHost } from '../support/guarded-host.js';
import { hostAppForThisTest } from '../support/host-app.js';
import { asSignedInByPassword, signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { insertMembership, type NewTestMembership } from '../support/test-memberships.js';
import type { NewTestUser } from '../support/test-users.js';

const CORE_KEY = 'key-of-the-core-service';
const FORBIDDEN = { status: 403, code: 'forbidden' };
const INVALID = { status: 400, code: 'validation_error' };

let core: CoreService;
let service: TestService;
let host: GuardedHost;

beforeAll(async () => {
  core = await CoreService.start({ apiKey: CORE_KEY });
  const env = { CORE_BASE_URL: core.url, CORE_INTERNAL_API_KEY: CORE_KEY };
  service = await startTestService({ env });
  host = await startGuardedHost(
    service.auth,
    (mount, { requireAuth, requireAccess, requireRole, requireFresh }) => {
      mount('/module', requireAccess({ module: 'invoices' }));
      mount('/permission', requireAccess({ permission: 'invoices:write' }));
      mount('/role', requireAccess({ role: ['OWNER', 'ADMIN'] }));
      mount('/all', requireAccess({ module: 'invoices', permission: 'invoices:write', role: 'ADMIN' }));
      mount('/auth', requireAuth);
      mount(
        '/chain',
        requireAuth,
        requireAccess({ module: 'invoices' }),
        requireFresh('1h'),
        requireAccess({ permission: 'invoices:write' }),
        requireAuth,
      );
      mount('/staff', requireAccess({ module: 'invoices' }), requireRole('PLATFORM_ADMIN'));
    },
  );
});

afterEach(() => {
  core.fault = undefined;
  host.ran.length = 0;
  vi.restoreAllMocks();
});

afterAll(async () => {
  await host.stop();
  await service.stop();
  await core.stop();
});

const ENTITLED: Company = {
  modules: ['invoices', 'payroll'],
  permissions: ['invoices:write', 'invoices:read'],
};

function company(entitlements: Company = ENTITLED): string {
  const id = randomUUID();
  core.set(id, entitlements);
  return id;
}

async function member(
  companyId: string,
  place: Partial<NewTestMembership> = {},
  wanted: NewTestUser = {},
): Promise<SignedInTestUser> {
  const user = asSignedInByPassword(await signedInUser(service, wanted));
  await insertMembership(service.sql, { userId: user.id, companyId, ...place });
  return user;
}

const ask = (
  path: string,
  { token }: { token?: string },
  org?: string | string[],
  method = 'GET',
): Promise<Answer> =>
  host.client.send(method, path, { token, headers: org === undefined ? {} : { 'x-org': org } });

async function expectRefused(answer: Promise<Answer>, refusal: object): Promise<void> {
  expect(await answer).toMatchObject(refusal);
  expect(host.ran).toEqual([]);
}

describe('the requirements of requireAccess', () => {
  const GRANTED = { moduleGrants: ['invoices'], permissionGrants: ['invoices:write'], role: 'ADMIN' };

  it('every requirement must be met', async () => {
    const id = company();
    const whole = await member(id, GRANTED);
    for (const path of ['/module', '/permission', '/role', '/all', '/chain']) {
      expect([path, (await ask(path, whole, id)).status]).toEqual([path, 200]);
    }
    const lacking: [object, string[]][] = [
      [{ moduleGrants: ['payroll'] }, ['/module', '/all', '/chain']],
      [{ permissionGrants: ['invoices:read'] }, ['/permission', '/all', '/chain']],
      [{ role: 'MEMBER' }, ['/role', '/all']],
    ];
    host.ran.length = 0;
    for (const [lack, paths] of lacking) {
      const user = await member(id, { ...GRANTED, ...lack });
      for (const path of paths) await expectRefused(ask(path, user, id), FORBIDDEN);
    }
  });

  it('a requirement is checked against the entitlements of the company, not against the grants alone', async () => {
    const id = company({ modules: ['payroll'], permissions: [] });
    const user = await member(id, GRANTED);
    for (const path of ['/module', '/permission']) await expectRefused(ask(path, user, id), FORBIDDEN);
  });

  it('administrators of the platform hold modules anywhere, and no role or permission', async () => {
    const id = company();
    const admin = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    expect((await ask('/module', admin, id)).status).toBe(200);
    expect((await ask('/staff', admin, id)).status).toBe(200);
    host.ran.length = 0;
    for (const path of ['/permission', '/role', '/all']) await expectRefused(ask(path, admin, id), FORBIDDEN);
  });

  it('the access reaches the handler: modules, permissions, company and role', async () => {
    const id = company();
    const user = await member(id, GRANTED);
    const { data } = await ask('/all', user, id);
    expect(data).toMatchObject({
      userId: user.id,
      access: {
        modules: ['invoices'],
        permissions: ['invoices:write'],
        metadata: { companyId: id, userId: user.id, role: 'ADMIN' },
      },
    });
  });
});

describe('the company of requireAccess', () => {
  it.each<[string, string | string[] | undefined]>([
    ['missing', undefined],
    ['empty', ''],
    ['no UUID', 'acme'],
    ['two in one', `${randomUUID()},${randomUUID()}`],
    ['repeated', [randomUUID(), randomUUID()]],
  ])('the company %s is 400', async (_what, org) => {
    await expectRefused(ask('/module', await signedInUser(service), org), INVALID);
  });

  it('a company of which the user is no member, or no longer, is 403', async () => {
    const id = company();
    await expectRefused(ask('/module', await signedInUser(service), id), FORBIDDEN);
    await expectRefused(ask('/module', await member(id, { active: false }), id), FORBIDDEN);
    await expectRefused(ask('/module', await member(company()), id), FORBIDDEN);
    const admin = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    await expectRefused(ask('/module', admin, randomUUID()), FORBIDDEN);
  });

  it('the company may be written in capitals', async () => {
    const id = company();
    const user = await member(id);
    const { data } = await ask('/module', user, id.toUpperCase());
    expect(data).toMatchObject({ access: { metadata: { companyId: id } } });
  });

  it('the company is checked after the caller: 401 before 400', async () => {
    await expectRefused(ask('/module', {}), { status: 401, code: 'unauthorized' });
    await expectRefused(ask('/module', { token: 'x' }, 'acme'), { status: 401 });
  });
});

describe('the state of the caller', () => {
  it('the state of the caller counts as everywhere: session, user', async () => {
    const id = company();
    const ended = await member(id);
    await service.api('POST', '/auth/logout', { body: { refreshToken: ended.refreshToken } });
    await expectRefused(ask('/module', ended, id), { status: 401, code: 'session_revoked' });
    const inactive = await member(id);
    await service.sql('UPDATE users SET is_active = false WHERE id = $1', [inactive.id]);
    await expectRefused(ask('/module', inactive, id), { status: 403, code: 'account_inactive' });
  });

  it('a withdrawn grant is gone at the next request', async () => {
    const id = company();
    const user = await member(id, { moduleGrants: ['invoices'] });
    expect((await ask('/module', user, id)).status).toBe(200);
    await service.sql("UPDATE membership_module_grants SET module_key = 'payroll'");
    host.ran.length = 0;
    await expectRefused(ask('/module', user, id), FORBIDDEN);
  });
});

describe('an unavailable core service', () => {
  it.each([
    { kind: 'status', status: 500 },
    { kind: 'text', text: '{}' },
    { kind: 'reset', times: 2 },
  ] as const)('an unavailable core service is 503, never 403, and no request passes: %j', async (fault) => {
    const id = company();
    const user = await member(id);
    core.fault = fault;
    await expectRefused(ask('/module', user, id), { status: 503, code: 'service_unavailable' });
  });

  it('an unavailable core service does not affect a guard of another kind', async () => {
    const id = company();
    const user = await member(id);
    core.fault = { kind: 'status', status: 500 };
    expect((await ask('/auth', user, id)).status).toBe(200);
  });
});

describe('a denied request', () => {
  it('a denied request is audited with method and pattern', async () => {
    const id = company();
    const user = await member(id, { moduleGrants: ['payroll'] });
    const stranger = await signedInUser(service);
    for (const who of [user, stranger]) {
      await ask('/module?token=s3cret', who, id, 'POST');
      const rows = await service.sql(
        "SELECT details FROM auth_audit_logs WHERE actor_user_id = $1 AND event = 'access_denied'",
        [who.id],
      );
      expect(rows).toEqual([{ details: { method: 'POST', path: '/module' } }]);
    }
  });
});

describe('several guards on one request', () => {
  it('several guards on one request look the caller up once and the company up once', async () => {
    const id = company();
    const user = await member(id, { permissionGrants: ['invoices:write'] });
    const plain = vi.spyOn(service.auth.authenticator, 'authenticate');
    const wide = vi.spyOn(service.auth.authenticator, 'authenticateForAccess');
    const before = core.calls;
    expect((await ask('/chain', user, id)).status).toBe(200);
    expect([plain.mock.calls.length, wide.mock.calls.length, core.calls - before]).toEqual([0, 1, 1]);
  });

  it('several simultaneous guards look each up once, too, and under SHADOW the difference is counted once', async () => {
    const id = company({ modules: ['invoices', 'payroll'], accessPolicyMode: 'SHADOW' });
    const user = await member(id, { permissionGrants: ['invoices:write'] });
    const { requireAccess } = createGuards(service.auth);
    const guards = ['invoices', 'payroll'].map((module) => requireAccess({ module }));
    const client = await hostAppForThisTest((app) => {
      app.get('/', async (request, response) => {
        let letIn = 0;
        const count = () => {
          letIn++;
        };
        await Promise.all(guards.map((guard) => guard(request, response, count)));
        request.headers['x-org'] = id.toUpperCase();
        await guards[0]?.(request, response, count);
        response.json({ letIn, company: getAccess(request).companyId });
      });
    });
    const wide = vi.spyOn(service.auth.authenticator, 'authenticateForAccess');
    const [calls, shadow] = [core.calls, service.auth.access.shadowCounts];
    const { body } = await client.send('GET', '/', { token: user.token, headers: { 'x-org': id } });
    expect(body).toEqual({ letIn: 3, company: id });
    expect([wide.mock.calls.length, core.calls - calls]).toEqual([1, 1]);
    const { compared, different } = service.auth.access.shadowCounts;
    expect([compared - shadow.compared, different - shadow.different]).toEqual([1, 1]);
  });

  it('guards by hint resolve the access from the database', async () => {
    const hinted = await startGuardedHost(
      service.auth,
      (mount, { requireAuth, requireAccess }) =>
        mount('/', requireAuth, requireAccess({ module: 'invoices' })),
      { check: 'hint' },
    );
    const id = company();
    const user = await member(id);
    const asked = () => hinted.client.send('GET', '/', { token: user.token, headers: { 'x-org': id } });
    expect((await asked()).status).toBe(200);
    await service.sql('UPDATE company_memberships SET is_active = false WHERE user_id = $1', [user.id]);
    expect((await asked()).status).toBe(403);
    await hinted.stop();
  });
});
