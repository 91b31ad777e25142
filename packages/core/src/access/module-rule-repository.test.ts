import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { Database, type Statement, type Transaction } from '../storage/database.js';
import { ModuleRuleRepository } from './module-rule-repository.js';

/** Counts its prepared statements. */
class CountingDatabase extends Database {
  queries = 0;

  override query<Row extends object>(
    statement: Statement,
    values: readonly unknown[],
    trx?: Transaction,
  ): Promise<Row[]> {
    this.queries++;
    return super.query<Row>(statement, values, trx);
  }
}

let testDatabase: TestDatabase;
let database: CountingDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new CountingDatabase({ url: testDatabase.url, poolMax: 2, preparedStatements: true });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function memberWith(...modules: string[]): Promise<string> {
  const [userId, membershipId] = [randomUUID(), randomUUID()];
  await database.run(async (knex) => {
    await knex('users').insert({ id: userId, email: `${userId}@example.com` });
    await knex('company_memberships').insert({ id: membershipId, user_id: userId, company_id: randomUUID() });
    for (const module of modules) {
      const rule = { module_key: module, effect: 'GRANT', source: 'MEMBER' };
      await knex('membership_module_rules').insert({
        id: randomUUID(),
        membership_id: membershipId,
        ...rule,
      });
    }
  });
  return membershipId;
}

it('rules that are asked for in one turn are read by one query, each membership with its own', async () => {
  const rules = new ModuleRuleRepository(database);
  const members = [await memberWith('billing', 'events'), await memberWith('events'), await memberWith()];
  database.queries = 0;
  const found = await Promise.all([...members, ...members].map((id) => rules.ofMembership(id)));
  const modules = found.map((own) => own.map(({ moduleKey }) => moduleKey).toSorted());
  expect(modules.slice(0, 3)).toEqual([['billing', 'events'], ['events'], []]);
  expect(modules.slice(3)).toEqual(modules.slice(0, 3));
  expect(database.queries).toBe(1);
});

it('a rule that was committed before the question is seen', async () => {
  const rules = new ModuleRuleRepository(database);
  const member = await memberWith('billing');
  const earlier = rules.ofMembership(member);
  await database.run((knex) => knex('membership_module_rules').where({ membership_id: member }).delete());
  expect(await rules.ofMembership(member)).toEqual([]);
  await earlier;
});
