import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { createTestAuth } from '@latchkey/testing';
import { createVerifier, type Verifier } from '@latchkey/verifier';
import { CoreService } from '../../examples/core-service/core-service.js';
import { ApiKeyRepository } from '../../packages/core/src/api-key-records/api-key-repository.js';
import { newApiKeyText } from '../../packages/core/src/api-key-records/api-key-text.js';
import { Database } from '../../packages/core/src/storage/database.js';
import { ApiKeyClient, madeKeyOf } from '../support/api-key-client.js';
import { takeApart } from '../support/forged-token.js';
import { startGuardedHost } from '../support/guarded-host.js';
import { allowedSince } from '../support/machine-lag.js';
import { asSignedInByPassword, signedInUser } from '../support/minted-token.js';
import { INTERNAL_KEY, startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';
import { codeOf } from '../support/verifier/verifiers.js';
import { waitUntil } from '../support/wait-until.js';

const CORE_KEY = 'key-of-the-core-service';
const LISTS = { modules: ['billing', 'unknown'], permissions: ['invoices:read'] };

let core: CoreService;
let service: TestService;
let keys: ApiKeyClient;
beforeAll(async () => {
  core = await CoreService.start({ apiKey: CORE_KEY });
  service = await startTestService({ env: { CORE_BASE_URL: core.url, CORE_INTERNAL_API_KEY: CORE_KEY } });
  keys = new ApiKeyClient(service);
});
afterAll(async () => {
  await service.stop();
  await core.stop();
});

function newCompany(): TestCompany {
  const company = new TestCompany(service);
  core.set(company.id, { modules: ['billing', 'stock'], permissions: ['invoices:read', 'invoices:write'] });
  return company;
}

const member = async (company: TestCompany, role: string) =>
  asSignedInByPassword(await company.member({ role }));

/** A member who may add people with the module `billing` and no permission. */
async function delegate(company: TestCompany) {
  const user = await member(company, 'MEMBER');
  await service.sql(
    `INSERT INTO membership_delegations (membership_id, can_manage_users, grantable_modules)
     SELECT id, true, '{billing}' FROM company_memberships WHERE user_id = $1`,
    [user.id],
  );
  return user;
}

type Asked = [method: string, path: string, body?: object];

async function reasonOf(company: TestCompany, token: string, ...[method, path, body]: Asked) {
  const answer = await service.client.send(method, `/internal/companies/${company.id}/api-keys${path}`, {
    token,
    headers: { accept: 'application/problem+json' },
    ...(body && { body }),
  });
  return answer.status < 300
    ? answer.status
    : `${answer.status} ${(answer.body as { reason: string }).reason}`;
}

describe('a company API key', () => {
  it('its end is announced to its creator, unless they have left the company', async () => {
    const company = newCompany();
    const [stays, leaves] = [await member(company, 'ADMIN'), await member(company, 'ADMIN')];
    for (const { token } of [stays, leaves]) {
      const { id } = madeKeyOf(await company.bearer(token, 'POST', '/api-keys', { name: 'ERP', ...LISTS }));
      await service.sql(`UPDATE api_keys SET expires_at = now() + interval '6 days' WHERE id = $1`, [id]);
    }
    const left = { userId: leaves.id, isActive: false };
    await service.auth.memberships.upsertCompany({ kind: 'operator', name: 'tests' }, company.id, left);
    const database = new Database({ url: service.databaseUrl, poolMax: 1, preparedStatements: true });
    onTestFinished(() => database.close());
    expect(await new ApiKeyRepository(database).noticeExpiring(100, true)).toBeGreaterThan(1);
    const mails = await service.sql(
      `SELECT recipient FROM mail_outbox WHERE kind = 'api_key_expiring' AND recipient = ANY($1)`,
      [[stays.email, leaves.email]],
    );
    expect(mails).toEqual([{ recipient: stays.email }]);
  });

  it('a key has its lists, cut by the entitlements, and outlives its creator', async () => {
    const company = newCompany();
    const admin = await member(company, 'ADMIN');
    const made = await company.bearer(admin.token, 'POST', '/api-keys', { name: 'ERP', ...LISTS });
    expect(made.status, made.text).toBe(201);
    const { id, key } = madeKeyOf(made);
    await service.auth.admin.users.patch({ kind: 'operator', name: 'tests' }, admin.id, { isActive: false });
    const access = await keys.with(key, 'GET', '/auth/me/access');
    expect(access).toMatchObject({
      status: 200,
      data: {
        modules: ['billing'],
        permissions: ['invoices:read'],
        metadata: { userId: `key:${id}`, role: null, globalRole: 'NONE' },
      },
    });
    expect((await keys.with(key, 'GET', '/auth/me')).status).toBe(403);
    core.set(company.id, { modules: ['stock'], permissions: [] });
    expect((await keys.with(key, 'GET', '/auth/me/access')).data.modules).toEqual([]);
  });

  it('both lists are required, and empty lists give nothing', async () => {
    const company = newCompany();
    expect((await company.machine('POST', '/api-keys', { name: 'ERP', modules: [] })).status).toBe(400);
    const made = await company.machine('POST', '/api-keys', { name: 'ERP', modules: [], permissions: [] });
    const access = await keys.with(madeKeyOf(made).key, 'GET', '/auth/me/access');
    expect(access.data).toMatchObject({ modules: [], permissions: [] });
  });

  it('members make none, and delegates none with more than they may offer', async () => {
    const company = newCompany();
    const plain = await member(company, 'MEMBER');
    const body = { name: 'ERP', modules: ['billing'], permissions: [] };
    expect(await reasonOf(company, plain.token, 'POST', '', body)).toBe('403 forbidden');
    expect(await reasonOf(company, plain.token, 'GET', '')).toBe('403 forbidden');
    const { token } = await delegate(company);
    expect(await reasonOf(company, token, 'POST', '', body)).toBe(201);
    for (const more of [{ modules: ['stock'] }, { permissions: ['invoices:read'] }]) {
      const wanted = { ...body, ...more };
      expect(await reasonOf(company, token, 'POST', '', wanted)).toBe('403 offer_exceeds_authority');
    }
    const wide = madeKeyOf(await company.machine('POST', '/api-keys', { name: 'Wide', ...LISTS }));
    for (const [method, path] of [
      ['POST', `/${wide.id}/rotate`],
      ['DELETE', `/${wide.id}`],
    ] as const) {
      expect(await reasonOf(company, token, method, path)).toBe('403 offer_exceeds_authority');
    }
    expect(await keys.status(wide.key)).toBe(200);
  });

  it('administrators make, rename and rotate keys after a step-up, and revoke without one', async () => {
    const company = newCompany();
    const fresh = await member(company, 'ADMIN');
    const { token } = await company.member({ role: 'ADMIN' });
    const { id, key } = madeKeyOf(await company.machine('POST', '/api-keys', { name: 'ERP', ...LISTS }));
    const stale = '401 reauthentication_required';
    expect(await reasonOf(company, token, 'POST', '', { name: 'ERP', ...LISTS })).toBe(stale);
    expect(await reasonOf(company, token, 'POST', `/${id}/rotate`)).toBe(stale);
    expect(await reasonOf(company, token, 'PATCH', `/${id}`, { name: 'X' })).toBe(stale);
    expect(await reasonOf(company, fresh.token, 'PATCH', `/${id}`, { name: 'X' })).toBe(200);
    expect(await reasonOf(company, token, 'DELETE', `/${id}`)).toBe(200);
    expect(await keys.status(key)).toBe(401);
    expect(await reasonOf(company, token, 'DELETE', `/${id}`)).toBe('404 api_key_not_found');
  });

  it('keys of another company are not found', async () => {
    const [own, other] = [newCompany(), newCompany()];
    const { token } = await member(own, 'ADMIN');
    const { id } = madeKeyOf(await other.machine('POST', '/api-keys', { name: 'ERP', ...LISTS }));
    expect(await reasonOf(own, token, 'DELETE', `/${id}`)).toBe('404 api_key_not_found');
    expect((await own.machine('DELETE', `/api-keys/${id}`)).status).toBe(404);
  });
});

describe('guards of a host app', () => {
  it('guards refuse keys unless they accept them, and those of sign-ins and roles always', async () => {
    const companyId = randomUUID();
    const kit = await createTestAuth({
      databaseUrl: inject('postgres').url,
      entitlements: () => ({ modules: ['billing'] }),
    });
    const made = await kit.auth.apiKeys.company.create({ kind: 'machine', name: 'tests' }, companyId, {
      name: 'ERP',
      modules: ['billing'],
      permissions: [],
    });
    const host = await startGuardedHost(
      kit.auth,
      (mount, guards) => {
        mount('/any', guards.requireAuth);
        mount('/billing', guards.requireAccess({ module: 'billing' }));
        mount('/stock', guards.requireAccess({ module: 'stock' }));
        mount('/people', guards.requireAccess({ module: 'billing', apiKeys: false }));
        mount('/fresh', guards.requireFresh('5m'));
        mount('/factors', guards.requireFactors(1));
        mount('/staff', guards.requireRole('PLATFORM_ADMIN'));
      },
      { apiKeys: true },
    );
    const closed = await startGuardedHost(kit.auth, (mount, guards) => {
      mount('/any', guards.requireAuth);
      mount('/billing', guards.requireAccess({ module: 'billing', apiKeys: true }));
    });
    const statuses = (paths: string[], at: typeof host) =>
      Promise.all(paths.map(async (path) => (await at.client.send('GET', path, { token: made.key })).status));
    expect(await statuses(['/any', '/billing', '/stock', '/people'], host)).toEqual([200, 200, 403, 403]);
    expect(await statuses(['/fresh', '/factors', '/staff'], host)).toEqual([403, 403, 403]);
    expect(await statuses(['/any', '/billing'], closed)).toEqual([403, 200]);
    const answer = await host.client.send('GET', '/billing', { token: made.key });
    expect(answer.data).toMatchObject({ userId: `key:${made.apiKey.id}`, access: { companyId } });
    await kit.auth.apiKeys.company.revoke(
      { kind: 'machine', name: 'tests' },
      { companyId, id: made.apiKey.id },
    );
    expect(await statuses(['/any', '/billing'], host)).toEqual([401, 401]);
    await host.stop();
    await closed.stop();
    await kit.close();
  });
});

describe('the verification for other services', () => {
  it('an active key is described, and nothing is said about any other', async () => {
    const company = newCompany();
    const { id, key } = madeKeyOf(await company.machine('POST', '/api-keys', { name: 'ERP', ...LISTS }));
    const active = await keys.verify(key);
    expect(active).toMatchObject({
      status: 200,
      data: { active: true, id, kind: 'COMPANY', companyId: company.id, access: { modules: ['billing'] } },
    });
    expect((await keys.verify(key, company.id)).data).toMatchObject({ active: true });
    const inactive = { active: false };
    expect((await keys.verify(key, randomUUID())).data).toEqual(inactive);
    expect((await keys.verify(newApiKeyText())).data).toEqual(inactive);
    await company.machine('DELETE', `/api-keys/${id}`);
    expect((await keys.verify(key)).data).toEqual(inactive);
  });

  it('only machines verify, and an outage is no refusal', async () => {
    const company = newCompany();
    const { key } = madeKeyOf(await company.machine('POST', '/api-keys', { name: 'ERP', ...LISTS }));
    const { token } = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    const body = { apiKey: key };
    expect((await service.api('POST', '/internal/api-keys/verify', { body })).status).toBe(403);
    expect((await service.api('POST', '/internal/api-keys/verify', { token, body })).status).toBe(403);
    core.fault = { kind: 'status', status: 500 };
    expect((await keys.verify(key)).status).toBe(503);
    core.fault = undefined;
  });
});

describe('a verifier with apiKeys', () => {
  let verifier: Verifier;
  let without: Verifier;
  beforeAll(async () => {
    const { issuer, audience } = service.auth.settings.tokens;
    const options = { issuer, audience, url: service.url, credential: { internalApiKey: INTERNAL_KEY } };
    verifier = await createVerifier({ ...options, apiKeys: true });
    without = await createVerifier(options);
  });
  afterAll(() => {
    verifier.close();
    without.close();
  });

  async function madeAndExchanged() {
    const company = newCompany();
    const made = madeKeyOf(await company.machine('POST', '/api-keys', { name: 'ERP', ...LISTS }));
    const { data } = await keys.with(made.key, 'POST', '/auth/api-keys/exchange');
    return { company, ...made, token: data.accessToken, expiresIn: data.expiresIn };
  }

  it('takes keys and their tokens, which pass for no other kind of token', async () => {
    const { id, key, token, expiresIn, company } = await madeAndExchanged();
    expect(expiresIn).toBe(300);
    const { header, claims } = takeApart(token);
    expect(header.typ).toBe('key+jwt');
    expect(claims).toMatchObject({ sub: `key:${id}`, sid: id, keyKind: 'COMPANY', companyId: company.id });
    for (const credential of [key, token]) {
      expect(await verifier.authenticateToken(credential)).toMatchObject({
        kind: 'api-key',
        userId: `key:${id}`,
        globalRole: 'NONE',
        apiKey: { id, kind: 'COMPANY' },
      });
      expect(await codeOf(without, credential)).toBe('unauthorized');
    }
    expect((await service.api('GET', '/auth/me', { token })).status).toBe(401);
    expect((await service.api('GET', '/auth/api-key', { token })).status).toBe(401);
  });

  it('refuses a revoked key and its tokens within a second, without a call for each request', async () => {
    const { id, key, token, company } = await madeAndExchanged();
    expect([await codeOf(verifier, key), await codeOf(verifier, token)]).toEqual(['accepted', 'accepted']);
    await company.machine('DELETE', `/api-keys/${id}`);
    const began = performance.now();
    const refused = async () =>
      (await codeOf(verifier, key)) === 'unauthorized' && (await codeOf(verifier, token)) === 'unauthorized';
    await waitUntil(refused, { what: 'a verifier that refuses the key' });
    expect(performance.now() - began).toBeLessThan(allowedSince(began, 5_000));
    await expect(verifier.authenticateToken(key)).rejects.toMatchObject({ reason: 'api_key_invalid' });
  });

  it('refuses the former text of a rotated key, and remembers no wrong key', async () => {
    const { id, key, company } = await madeAndExchanged();
    expect(await codeOf(verifier, key)).toBe('accepted');
    const rotated = madeKeyOf(await company.machine('POST', `/api-keys/${id}/rotate`, {}));
    // Without the entry the verifier would find out as well, later.
    const feed = await service.sql('SELECT api_key_event FROM revocations WHERE session_id = $1', [id]);
    expect(feed).toEqual([{ api_key_event: 'rotated' }]);
    const isRefused = async () => (await codeOf(verifier, key)) === 'unauthorized';
    await waitUntil(isRefused, { what: 'a verifier that refuses the former text' });
    expect(await codeOf(verifier, rotated.key)).toBe('accepted');
    expect(await codeOf(verifier, newApiKeyText())).toBe('unauthorized');
    expect(await codeOf(verifier, 'lkk_short')).toBe('unauthorized');
  });
});
