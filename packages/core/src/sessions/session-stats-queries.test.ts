import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { Database } from '../storage/database.js';
import { SessionStatsQueries } from './session-stats-queries.js';

let testDatabase: TestDatabase;
let database: Database;
let stats: SessionStatsQueries;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.url, poolMax: 2, preparedStatements: true });
  stats = new SessionStatsQueries(database);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const sql = (text: string) => database.run((knex) => knex.raw(text));

/** Inserts users with one and with three active sessions by turns, and with two expired and two revoked ones. */
async function fill(users: number): Promise<void> {
  await sql(`INSERT INTO users (id, email)
    SELECT gen_random_uuid(), 'u' || number || '@example.com' FROM generate_series(1, ${users}) AS number`);
  await sql(`
    INSERT INTO sessions (id, user_id, selector_digest, secret_digest, origin, amr, expires_at, is_revoked, revoked_at, revoke_reason)
    SELECT gen_random_uuid(), u.id, sha256(gen_random_uuid()::text::bytea), sha256('secret'), 'password', '{pwd}',
      now() + CASE state WHEN 'expired' THEN interval '-1 hour' ELSE interval '1 hour' END,
      state = 'revoked', CASE state WHEN 'revoked' THEN now() END, CASE state WHEN 'revoked' THEN 'logout' END
    FROM (SELECT id, row_number() OVER (ORDER BY email) AS number FROM users) AS u,
      unnest('{active,also,also,expired,expired,revoked,revoked}'::text[]) AS state
    WHERE state <> 'also' OR number % 2 = 0
    ORDER BY random()`);
}

it('without sessions the statistics are zero', async () => {
  expect(await stats.read()).toEqual({ connectedUsers: 0, activeSessions: 0 });
});

it('few sessions are counted exactly, without expired and revoked ones', async () => {
  await fill(4);
  expect(await stats.read()).toEqual({ connectedUsers: 4, activeSessions: 8 });
});

it('more sessions than are counted are estimated from a sample, and the answer says so', async () => {
  await sql('TRUNCATE users CASCADE');
  await fill(3000);
  const limited = new SessionStatsQueries(database, { maxCounted: 10_000, sampledBlocks: 150 });
  const { connectedUsers, activeSessions, isEstimate } = await limited.read();
  expect(isEstimate).toBe(true);
  // Eight standard deviations from the truth.
  expect(Math.abs(activeSessions / 6000 - 1)).toBeLessThan(0.2);
  expect(Math.abs(connectedUsers / 3000 - 1)).toBeLessThan(0.4);

  expect(await stats.read()).toEqual({ connectedUsers: 3000, activeSessions: 6000 });
});
