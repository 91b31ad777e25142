import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { CoreService } from '../../examples/core-service/core-service.js';
import { Database } from '../../packages/core/src/storage/database.js';
import type { AnswerData } from '../support/api-client.js';
import { ON_NEXT } from '../support/binding.js';
import { INTERNAL_KEY, startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';
import { waitUntil } from '../support/wait-until.js';

/** More text than the buffers of both ends of a connection hold. */
const MEMBERS = 20_000;
const SLICE_ROWS = 250;
const CORE_KEY = 'key-of-the-core-service';

let core: CoreService;
let service: TestService;
let company: TestCompany;

const LISTS: [string, () => string][] = [
  ['users of a company', () => '/users'],
  ['memberships of a company', () => '/memberships'],
  ['users of a business unit', () => `/business-units/${company.unit}/users`],
];

beforeAll(async () => {
  core = await CoreService.start({ apiKey: CORE_KEY });
  service = await startTestService({
    env: { CORE_BASE_URL: core.url, CORE_INTERNAL_API_KEY: CORE_KEY },
  });
  company = new TestCompany(service);
  core.set(company.id, { modules: ['events'], accessPolicyMode: 'ENFORCED' });
  await service.sql(
    `INSERT INTO users (id, email, full_name, approval_status, is_active)
     SELECT gen_random_uuid(), 'member' || n || '@example.com', 'Member "' || n || '" of many', 'APPROVED', n % 7 <> 0
     FROM generate_series(1, $1::int) AS n`,
    [MEMBERS],
  );
  // Ten members share each instant, so that the id has to decide.
  await service.sql(
    `INSERT INTO company_memberships (id, user_id, company_id, created_at)
     SELECT gen_random_uuid(), id, $1, now() - (row_number() OVER () / 10) * interval '1 microsecond'
     FROM users WHERE email LIKE 'member%'`,
    [company.id],
  );
  await service.sql(
    `INSERT INTO business_unit_memberships (id, user_id, company_id, business_unit_id, created_at)
     SELECT gen_random_uuid(), user_id, company_id, $2, created_at FROM company_memberships WHERE company_id = $1`,
    [company.id, company.unit],
  );
  // A quarter of the members hold the module by a rule.
  await service.sql(
    `INSERT INTO membership_module_rules (id, membership_id, module_key, effect, source)
     SELECT gen_random_uuid(), id, 'events', 'GRANT', 'MEMBER' FROM company_memberships
     WHERE company_id = $1 AND get_byte(uuid_send(id), 0) < 64`,
    [company.id],
  );
  await service.sql('ANALYZE');
}, 120_000);
afterAll(async () => {
  await service.stop();
  await core.stop();
});
afterEach(() => vi.restoreAllMocks());

const list = (path: string) => company.machine('GET', path);

/** Returns a list, read in ordinary pages. */
async function inPages(path: string): Promise<AnswerData[]> {
  const items: AnswerData[] = [];
  for (let offset = 0; offset < MEMBERS; offset += 1_000) {
    items.push(...(await list(`${path}?limit=1000&offset=${offset}`)).items);
  }
  return items;
}

/** Sends the request and returns the response without reading its body. */
function opened(path: string): Promise<IncomingMessage> {
  const url = `${service.url}/internal/admin/companies/${company.id}${path}`;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent: false, headers: { 'x-internal-api-key': INTERNAL_KEY } }, resolve);
    outgoing.on('error', reject).end();
  });
}

/** Returns the text that is left, and whether the response was complete. */
function readOn(incoming: IncomingMessage): Promise<{ text: string; isComplete: boolean }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => undefined);
    incoming.on('close', () =>
      resolve({ text: Buffer.concat(chunks).toString(), isComplete: incoming.complete }),
    );
  });
}

/** The statements that read members. */
const LIST_STATEMENTS = ['company_users', 'company_members', 'business_unit_users'];

/** Records the queries for members; returns a function that returns the limit of each so far. */
function recordSlices(): () => number[] {
  const query = vi.spyOn(Database.prototype, 'query');
  return () =>
    query.mock.calls
      .filter(([{ name }]) => LIST_STATEMENTS.includes(name))
      .map(([, values]) => Number(values.at(-2)));
}

/** Waits until no slice has been read for a while; returns the number of slices read. */
async function readingStopped(slices: () => number[]): Promise<number> {
  for (let before = -1; before !== slices().length;) {
    before = slices().length;
    await sleep(400);
  }
  return slices().length;
}

describe.each(LISTS)('a long list: the %s', (_what, path) => {
  it('a long list is the same at once as in pages, with its total', async () => {
    const expected = await inPages(path());
    expect(new Set(expected.map(({ id }) => id)).size).toBe(MEMBERS);
    const incoming = await opened(`${path()}?limit=100000`);
    const { text } = await readOn(incoming);
    expect(text === JSON.stringify({ success: true, data: expected })).toBe(true);
    expect(incoming.headers['x-total-count']).toBe(String(MEMBERS));
    expect(incoming.headers).not.toHaveProperty('content-length');
    const part = await list(`${path()}?limit=1300&offset=1111`);
    expect(part.items.map(({ id }) => id)).toEqual(expected.slice(1_111, 2_411).map(({ id }) => id));
  });

  it('a long list is read in slices of at most 250 rows', async () => {
    const slices = recordSlices();
    await readOn(await opened(`${path()}?limit=100000`));
    expect(slices().length).toBe(MEMBERS / SLICE_ROWS + 1);
    expect(Math.max(...slices())).toBe(SLICE_ROWS);
  });

  it('HEAD of a long list has the headers of GET, and reads two slices', async () => {
    const target = `/internal/admin/companies/${company.id}${path()}?limit=100000`;
    const slices = recordSlices();
    const head = await service.client.send('HEAD', target, {
      headers: { 'x-internal-api-key': INTERNAL_KEY },
    });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['x-total-count']).toBe(String(MEMBERS));
    expect(head.headers).not.toHaveProperty('content-length');
    expect(slices().length).toBe(2);
  });
});

describe('a list with a high limit', () => {
  it.skipIf(ON_NEXT)('a list of one slice is an ordinary response with its length', async () => {
    const small = new TestCompany(service);
    const { id } = await small.member();
    const answer = await small.machine('GET', '/users?limit=100000');
    expect(answer.items.map((user) => user.id)).toEqual([id]);
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
  });

  it('the module filter of a long list selects the same members as that of its pages', async () => {
    const holders: AnswerData[] = [];
    for (let offset = 0; offset < MEMBERS; offset += 1_000) {
      holders.push(...(await list(`/users?module=events&limit=1000&offset=${offset}`)).items);
    }
    expect(holders.length).toBeGreaterThan(MEMBERS / 10);
    expect(holders.length).toBeLessThan(MEMBERS / 2);
    const calls = core.calls;
    const answer = await list('/users?module=events&limit=100000');
    expect(answer.items).toEqual(holders);
    expect(core.calls - calls).toBe(1);
    expect(answer.headers['x-total-count']).toBe(String(MEMBERS));
    expect((await list('/users?module=unknown&limit=100000')).text).toBe('{"success":true,"data":[]}');
  });
});

describe('the client of a long list', () => {
  it('a client that reads slowly gets the whole list, later than the deadline of responses', async () => {
    const slices = recordSlices();
    const incoming = await opened('/users?limit=100000');
    const before = await readingStopped(slices);
    expect(before).toBeLessThan(MEMBERS / SLICE_ROWS);
    expect((await service.sql(ACTIVE))[0]).toEqual({ active: 0 });
    await sleep(5_000);
    expect(slices().length).toBe(before);
    const { text, isComplete } = await readOn(incoming);
    expect(isComplete).toBe(true);
    expect((JSON.parse(text) as { data: unknown[] }).data).toHaveLength(MEMBERS);
  });

  it('a client that disconnects ends the reading', async () => {
    const slices = recordSlices();
    const incoming = await opened('/users?limit=100000');
    const before = await readingStopped(slices);
    incoming.destroy();
    await readingStopped(slices);
    expect(slices().length - before).toBeLessThanOrEqual(1);
    expect((await service.sql(ACTIVE))[0]).toEqual({ active: 0 });
    const logged = service
      .log()
      .split('\n')
      .filter((line) => line.includes('unforeseen failure'));
    expect(logged).toEqual([]);
  });

  it('a failure in the middle closes the connection, so that no part passes for the whole', async () => {
    const slices = recordSlices();
    const incoming = await opened('/users?limit=100000');
    await readingStopped(slices);
    await service.sql('ALTER TABLE company_memberships RENAME TO elsewhere');
    try {
      const { text, isComplete } = await readOn(incoming);
      expect(isComplete).toBe(false);
      expect(text.startsWith('{"success":true,"data":[{')).toBe(true);
      expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    } finally {
      await service.sql('ALTER TABLE elsewhere RENAME TO company_memberships');
    }
    await waitUntil(() => service.log().includes('unforeseen failure'), { what: 'the log of the failure' });
    expect((await list('/users?limit=2000')).items).toHaveLength(2_000);
  });
});

/** Statements and transactions that the service has open. */
const ACTIVE = `SELECT count(*)::int AS active FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'latchkey' AND state <> 'idle'`;
