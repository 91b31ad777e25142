import { afterAll, beforeAll, expect, it } from 'vitest';
import { haveSameHiddenClass } from '../../../../test/support/hidden-classes.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { newId } from '../kernel/id.js';
import { Database } from '../storage/database.js';
import { MembershipQueries } from './membership-queries.js';
import { toCompanyUserView, toMemberView } from './membership-schema.js';

const ALL = { limit: Infinity, offset: 0 };

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.url, poolMax: 2, preparedStatements: true });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const sql = (text: string, values: readonly (string | boolean)[]) =>
  database.run((knex) => knex.raw(text, [...values]));

async function join(companyId: string, name: string, isActive = true): Promise<void> {
  const userId = newId();
  await sql(
    `INSERT INTO users (id, email, global_role, approval_status, is_active) VALUES (?, ?, 'NONE', 'APPROVED', true)`,
    [userId, `${name}@${companyId}.example`],
  );
  await sql(
    `INSERT INTO company_memberships (id, user_id, company_id, is_active) VALUES (gen_random_uuid(), ?, ?, ?)`,
    [userId, companyId, isActive],
  );
}

const leave = (companyId: string, name: string) =>
  sql(
    `UPDATE company_memberships SET is_active = false
     WHERE company_id = ? AND user_id = (SELECT id FROM users WHERE email = ?)`,
    [companyId, `${name}@${companyId}.example`],
  );

const slicesOf = async (companyId: string) =>
  (await new MembershipQueries(database).companyUsersInSlices(companyId, ALL, 2)).slices;

it('every active member is listed once, newest first, while members join and leave', async () => {
  const companyId = newId();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await join(companyId, name);
  await join(companyId, 'never', false);
  const seen: string[][] = [];
  for await (const page of await slicesOf(companyId)) {
    seen.push(page.map(({ user }) => user.email.slice(0, 1)));
    if (seen.length > 1) continue;
    await join(companyId, 'newcomer');
    await leave(companyId, 'e');
    await leave(companyId, 'b');
  }
  expect(seen).toEqual([['f', 'e'], ['d', 'c'], ['a']]);
});

it('members who joined at the same instant are all listed', async () => {
  const companyId = newId();
  for (const name of ['a', 'b', 'c', 'd', 'e']) await join(companyId, name);
  await sql('UPDATE company_memberships SET created_at = ? WHERE company_id = ?', [
    '2026-01-31T12:00:00.123456Z',
    companyId,
  ]);
  const emails: string[] = [];
  for await (const page of await slicesOf(companyId)) {
    emails.push(...page.map(({ user }) => user.email));
  }
  expect(new Set(emails).size).toBe(5);
  expect(emails).toHaveLength(5);
});

it('a company without members yields no page', async () => {
  const pages: unknown[] = [];
  for await (const page of await slicesOf(newId())) pages.push(page);
  expect(pages).toEqual([]);
});

it('members of a list share their hidden classes, so that a long list does not fill the memory with them', async () => {
  const companyId = newId();
  for (const name of ['a', 'b', 'c', 'd']) await join(companyId, name);
  const queries = new MembershipQueries(database);
  const read = () => queries.companyMembers(companyId, { limit: 10, offset: 0 });
  // V8 treats a spread like any other object the first dozen times.
  for (let list = 1; list <= 10; list++) {
    const { items } = await read();
    items.map(toCompanyUserView);
    items.map(toMemberView);
  }
  const { items } = await read();
  for (const objects of [
    items,
    items.map(({ membership }) => membership),
    items.map(toCompanyUserView),
    items.map(toMemberView),
  ]) {
    expect(objects).toHaveLength(4);
    expect(haveSameHiddenClass(objects)).toBe(true);
  }
});
