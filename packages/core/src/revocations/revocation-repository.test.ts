import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { readSettings } from '../settings/read-settings.js';
import { Database } from '../storage/database.js';
import { CLOCK_LEEWAY } from '../tokens/access-token-claims.js';
import { RevocationRepository } from './revocation-repository.js';
import { REVOCATION_MATTERS_SECONDS } from './revocation.js';

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

const raw = (sql: string): Promise<unknown> => database.run((knex) => knex.raw(sql));

it('an account that may only read the table can read the feed', async () => {
  const role = `reader_${randomUUID().replaceAll('-', '')}`;
  await raw(`CREATE ROLE ${role} LOGIN PASSWORD 'reader'; GRANT SELECT ON revocations TO ${role}`);
  const url = new URL(testDatabase.url);
  url.username = role;
  url.password = 'reader';
  const reading = new Database({ url: url.href, poolMax: 1, preparedStatements: true });
  onTestFinished(async () => {
    await reading.close();
    await raw(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });
  const repository = new RevocationRepository(reading);
  const before = await repository.position();
  const sid = randomUUID();
  await raw(`INSERT INTO revocations (session_id) VALUES ('${sid}')`);
  expect((await repository.readSince(before)).entries).toMatchObject([{ type: 'session-revoked', sid }]);
  expect((await repository.readAll()).entries).toMatchObject([{ sid }]);
});

it('a read-only connection reads the same', async () => {
  const reading = new Database({
    url: testDatabase.url,
    poolMax: 1,
    preparedStatements: true,
    readOnly: true,
  });
  onTestFinished(() => reading.close());
  const [own, other] = [new RevocationRepository(database), new RevocationRepository(reading)];
  expect((await other.readAll()).entries).toEqual((await own.readAll()).entries);
  expect((await other.position()).origin).toBe((await own.position()).origin);
});

it('an entry matters for longer than any access token is valid', () => {
  const lifetime = (seconds: number): number =>
    readSettings({ APP_ENV: 'test', ACCESS_TOKEN_TTL: String(seconds) }).tokens.accessTokenTtl;
  expect(lifetime(86_400)).toBe(86_400);
  expect(() => lifetime(REVOCATION_MATTERS_SECONDS - CLOCK_LEEWAY)).toThrow(/ACCESS_TOKEN_TTL/);
});
