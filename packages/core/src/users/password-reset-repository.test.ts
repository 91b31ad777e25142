import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertUserBy } from '../../../../test/support/open-session.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { Database, type Transaction } from '../storage/database.js';
import { PasswordResetRepository } from './password-reset-repository.js';

const ALLOWANCE = { capacity: 3, refillSeconds: 1_200 };

let testDatabase: TestDatabase;
let database: Database;
let resets: PasswordResetRepository;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.url, poolMax: 4, preparedStatements: true });
  resets = new PasswordResetRepository(database);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const issue = (userId: string, trx: Transaction): Promise<boolean> =>
  resets.issue(
    {
      id: randomUUID(),
      userId,
      tokenDigest: randomBytes(32),
      lifetime: 1_800,
      requestedAt: new Date(Date.now() + 60_000),
    },
    ALLOWANCE,
    trx,
  );

it('a reset mail whose transaction began before those of two others has its share of the allowance', async () => {
  const { id } = await insertUserBy(database);
  const issued = await database.transaction(async (earlier) => {
    await earlier.raw('SELECT now()');
    const others = [
      await database.transaction((trx) => issue(id, trx)),
      await database.transaction((trx) => issue(id, trx)),
    ];
    return [...others, await issue(id, earlier), await issue(id, earlier)];
  });
  expect(issued).toEqual([true, true, true, false]);
});
