import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../packages/core/src/kernel/logger.js';
import { Database } from '../../packages/core/src/storage/database.js';
import { Migrator } from '../../packages/core/src/storage/migrator.js';
import { openConnection } from '../support/open-connection.js';
import type { Sql } from '../support/service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');

let testDatabase: TestDatabase;
let database: Database;
let client: pg.Client;
let folder: string;

const sql: Sql = async (text, values) => (await client.query<Record<string, unknown>>(text, values)).rows;

/** Applies the migrations whose version is below `version`. */
async function migrateBelow(version: string): Promise<void> {
  const files = (await readdir(MIGRATIONS)).filter((name) => name < version);
  for (const name of files) await cp(join(MIGRATIONS, name), join(folder, name));
  await new Migrator(database, folder, silentLogger).up();
}

beforeAll(async () => {
  testDatabase = await createTestDatabase({ migrated: false });
  database = new Database({ url: testDatabase.url, poolMax: 2, preparedStatements: true });
  client = await openConnection(testDatabase.url);
  folder = await mkdtemp(join(tmpdir(), 'latchkey-migrations-'));
  await migrateBelow('0016');
});
afterAll(async () => {
  await client.end();
  await database.close();
  await testDatabase.drop();
  await rm(folder, { recursive: true });
});

/** Creates a user with these events in the audit log. */
async function userWith(name: string, events: string[]): Promise<void> {
  const [user] = await sql('INSERT INTO users (id, email) VALUES (gen_random_uuid(), $1) RETURNING id', [
    `${name}@example.com`,
  ]);
  for (const event of events) {
    await sql(
      `INSERT INTO auth_audit_logs (id, event, outcome, actor, subject_user_id)
       VALUES (gen_random_uuid(), $1, 'success', 'user', $2)`,
      [event, user?.id],
    );
  }
}

const proved = async (): Promise<unknown[]> =>
  (
    await sql(
      `SELECT split_part(email, '@', 1) AS name FROM users WHERE email_verified_at IS NOT NULL ORDER BY 1`,
    )
  ).map(({ name }) => name);

it('a mailbox counts as proved after an upgrade when the audit log says why', async () => {
  await userWith('created', ['user_created']);
  await userWith('registered', ['registration', 'user_approved', 'login']);
  await userWith('reset', ['registration', 'password_reset_requested', 'password_reset_confirmed']);
  await userWith('asked', ['registration', 'password_reset_requested']);
  await userWith('unknown', []);
  await migrateBelow('9');
  expect(await proved()).toEqual(['created', 'reset']);
});

it('a user registered by the former version beside the new one is not proved', async () => {
  await sql(`INSERT INTO users (id, email) VALUES (gen_random_uuid(), 'late@example.com')`);
  expect(await proved()).not.toContain('late');
});
