import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';

/** More than are looked up one by one. */
const MANY = 2_400;
const COMPANY = '018bcfe5-6800-7000-8000-00000000c0de';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  await service.sql(
    `WITH person AS (
       INSERT INTO users (id, email, full_name, approval_status, is_active)
       SELECT gen_random_uuid(), 'member' || n || '@example.com',
         CASE WHEN n = 7 THEN 'Zoë Q. Zander-Quist' ELSE 'Person ' || n END, 'APPROVED', true
       FROM generate_series(1, ${MANY}) AS n RETURNING id, email)
     INSERT INTO company_memberships (id, user_id, company_id, role, is_active)
     SELECT gen_random_uuid(), id, '${COMPANY}', CASE WHEN email LIKE 'member7%' THEN 'ADMIN' ELSE 'MEMBER' END,
       email <> 'member8@example.com' FROM person`,
  );
  await service.createUser({ email: 'member-of-none@example.com', fullName: 'Zander None' });
}, 60_000);
afterAll(() => service.stop());

/** Returns the total and the email of the first three. */
async function found(query: string): Promise<[total: string | undefined, emails: unknown[]]> {
  const path = `/internal/admin/companies/${COMPANY}/users?${query}`;
  const { items, headers } = await service.machine('GET', path);
  return [String(headers['x-total-count']), items.slice(0, 3).map(({ email }) => email)];
}

it.each([
  ['a part of a name', 'search=ander', 1],
  ['the start of an email', 'search=member77', 11],
  ['the start of an email in other case', 'search=MEMBER7@', 1],
  ['a name with another accent and case', `search=${encodeURIComponent('ZOË')}`, 1],
  ['one letter', 'search=q', 1],
  ['two letters', 'search=qu', 1],
  ['two letters within a word', 'search=nd', 1],
  ['a role besides', 'search=member77&role=MEMBER', 0],
  ['a sign that patterns know', 'search=%25', 0],
])('a search that few users match finds members by %s', async (_what, query, total) => {
  expect((await found(query))[0]).toBe(String(total));
});

it.each([
  ['a part of a name', 'search=erso', MANY - 2],
  ['the start of an email', 'search=member', MANY - 1],
  ['two letters', 'search=er', MANY - 1],
  ['a role besides', 'search=person&role=ADMIN', 110],
])('a search that very many users match finds members by %s', async (_what, query, total) => {
  expect((await found(query))[0]).toBe(String(total));
});

it('both kinds of searches list the newest first, and neither former members nor users outside of the company', async () => {
  const everyone = await found('limit=3');
  expect((await found('search=member&limit=3'))[1]).toEqual(everyone[1]);
  expect((await found('search=member8@'))[0]).toBe('0');
  expect((await found('search=zander'))[1]).toEqual(['member7@example.com']);
});
