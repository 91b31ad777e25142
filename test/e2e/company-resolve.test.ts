import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { openConnection } from '../support/open-connection.js';
import { startPostgres } from '../support/postgres.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const ACME = '0199a2f0-aaaa-7000-8000-000000000001';
const NAMESAKE = '0199a2f0-aaaa-7000-8000-000000000002';
const TWIN = '0199a2f0-aaaa-7000-8000-000000000003';
const TWIN_TOO = '0199a2f0-aaaa-7000-8000-000000000004';
const BARE = '0199a2f0-aaaa-7000-8000-000000000005';

let finance: TestDatabase;

beforeAll(async () => {
  finance = await createTestDatabase({ migrated: false });
  await fill(finance.url);
});
afterAll(() => finance.drop());

/** The table of the default query. A company's code may read like another's id or name. */
async function fill(url: string): Promise<void> {
  const client = await openConnection(url);
  await client.query('CREATE TABLE companies (id uuid PRIMARY KEY, code text, name text)');
  await client.query(
    `INSERT INTO companies VALUES ($1, 'AC-1', 'Acme Ltd'), ($2, $6, 'AC-1'), ($3, 'T1', 'Twin & Söhne'),
       ($4, 'T2', 'twin & söhne'), ($5, NULL, NULL)`,
    [ACME, NAMESAKE, TWIN, TWIN_TOO, BARE, ACME],
  );
  await client.end();
}

const resolve = (service: TestService, raw: string): Promise<Answer> =>
  service.machine('GET', `/internal/companies/resolve?raw=${encodeURIComponent(raw)}`);

describe('a finance database', () => {
  let service: TestService;
  const people = new Map<string, SignedInTestUser>();

  beforeAll(async () => {
    service = await startTestService({ env: { FINANCE_DATABASE_URL: finance.url } });
    for (const role of ['NONE', 'PLATFORM_SUPERADMIN', 'PLATFORM_ADMIN', 'PLATFORM_MODERATOR'] as const) {
      people.set(role, await signedInUser(service, { role }));
    }
  });
  afterAll(() => service.stop());

  it.each([
    ['its id, in any case, before a code that reads like it', ACME.toUpperCase(), ACME, 'Acme Ltd'],
    ['its code, in any case, before a name that reads like it', 'ac-1', ACME, 'Acme Ltd'],
    ['its name, in any case', 'ACME ltd', ACME, 'Acme Ltd'],
    ['its id when it has neither code nor name', BARE, BARE, null],
  ])('a company is found by %s', async (_how, raw, companyId, name) => {
    const answer = await resolve(service, raw);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.data).toEqual({ companyId, name, raw });
  });

  it('two companies that fit equally well are a conflict', async () => {
    expect(await resolve(service, 'TWIN & SöHNE')).toMatchObject({ status: 409, code: 'conflict' });
    expect((await resolve(service, 't2')).data).toMatchObject({ companyId: TWIN_TOO });
  });

  it.each(['no-company', ' ', "'; DROP TABLE companies; --", '%', '$1', 'x'.repeat(200)])(
    'a text that fits no company is not found: %j',
    async (raw) => {
      expect(await resolve(service, raw)).toMatchObject({ status: 404, code: 'not_found' });
    },
  );

  it('no identifier, an empty one, a long one, two and a NUL are refused', async () => {
    const queries = ['', '?raw=', `?raw=${'x'.repeat(201)}`, '?raw=a&raw=b', '?raw=%00', '?raw[]=a'];
    for (const query of queries) {
      const answer = await service.machine('GET', `/internal/companies/resolve${query}`);
      expect(answer, query).toMatchObject({ status: 400, code: 'validation_error' });
    }
  });

  it('staff can resolve a company, other users and callers without credentials cannot', async () => {
    const ask = (options: object) => service.api('GET', `/internal/companies/resolve?raw=${ACME}`, options);
    const statuses: [string, number][] = [];
    for (const [role, { token }] of people) statuses.push([role, (await ask({ token })).status]);
    expect(Object.fromEntries(statuses)).toEqual({
      NONE: 403,
      PLATFORM_SUPERADMIN: 200,
      PLATFORM_ADMIN: 200,
      PLATFORM_MODERATOR: 200,
    });
    expect(await ask({})).toMatchObject({ status: 401 });
    const wrongKey = { 'x-internal-api-key': 'wrong', authorization: `Bearer ${people.get('NONE')?.token}` };
    expect(await ask({ headers: wrongKey })).toMatchObject({ status: 403 });
  });

  it('readiness includes the finance database', async () => {
    const answer = await service.api('GET', '/ready');
    expect(answer.data).toMatchObject({ checks: { finance: 'ok' } });
  });
});

describe('a service without a finance database', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it('without a finance database credentials are checked first, then the configuration, then the input', async () => {
    const path = '/internal/companies/resolve';
    const { token } = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    const notConfigured = { status: 503, code: 'finance_db_not_configured' };
    expect(await service.api('GET', path)).toMatchObject({ status: 401 });
    expect(await service.api('GET', path, { headers: { 'x-internal-api-key': 'no' } })).toMatchObject({
      status: 403,
    });
    for (const query of ['', '?raw=x', '?raw=']) {
      expect(await service.machine('GET', path + query)).toMatchObject(notConfigured);
      expect(await service.api('GET', path + query, { token })).toMatchObject(notConfigured);
    }
  });
});

describe("the operator's own query", () => {
  const withQuery = (query: string): Promise<TestService> =>
    serviceForThisTest({ env: { FINANCE_DATABASE_URL: finance.url, FINANCE_COMPANY_QUERY: query } });

  it("the operator's own query finds its companies, also when it finds them by other means", async () => {
    const service = await withQuery(
      "SELECT id, code, name FROM companies WHERE name ILIKE '%' || $1 || '%' OR code = $1",
    );
    expect((await resolve(service, 'cme')).data).toMatchObject({ companyId: ACME });
    expect(await resolve(service, 'söhne')).toMatchObject({ status: 409 });
    expect((await resolve(service, 'T1')).data).toMatchObject({ companyId: TWIN });
  });

  it("a text that the operator's own query cannot read is no company", async () => {
    const service = await withQuery('SELECT id, code, name FROM companies WHERE id = $1::uuid');
    expect((await resolve(service, ACME)).data).toMatchObject({ companyId: ACME });
    expect(await resolve(service, 'Acme Ltd')).toMatchObject({ status: 404 });
  });

  it("an answer of the operator's own query without UUIDs as ids is a failure of the dependency", async () => {
    const service = await withQuery('SELECT code AS id, code, name FROM companies WHERE code = $1');
    expect(await resolve(service, 'T1')).toMatchObject({ status: 503, code: 'service_unavailable' });
  });

  it("the operator's own query cannot write", async () => {
    const service = await withQuery(
      'WITH gone AS (DELETE FROM companies RETURNING id, code, name) SELECT * FROM gone WHERE name = $1',
    );
    expect(await resolve(service, 'Acme Ltd')).toMatchObject({ status: 503 });
    const client = await openConnection(finance.url);
    const { rows } = await client.query('SELECT count(*)::int AS n FROM companies');
    await client.end();
    expect(rows).toEqual([{ n: 5 }]);
  });
});

it('an unavailable finance database is a 503 of the route and of the readiness, until it is available again', async () => {
  const server = await startPostgres();
  try {
    await fill(server.url);
    const service = await serviceForThisTest({ env: { FINANCE_DATABASE_URL: server.url } });
    expect(await resolve(service, 'ac-1')).toMatchObject({ status: 200 });
    await server.kill();
    const away = await resolve(service, 'ac-1');
    expect(away).toMatchObject({ status: 503, code: 'service_unavailable' });
    expect(away.headers['retry-after']).toBe('1');
    expect(await service.api('GET', '/ready')).toMatchObject({ status: 503, code: 'not_ready' });
    await server.restart();
    expect(await resolve(service, 'ac-1')).toMatchObject({ status: 200 });
  } finally {
    await server.stop();
  }
});
