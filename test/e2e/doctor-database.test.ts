import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../tools/shared/free-port.mjs';
import { diagnosed, outcomes } from '../support/doctor/diagnosed.js';
import { openConnection } from '../support/open-connection.js';
import { poolerBefore } from '../support/pooler-look-alike.js';
import { startPostgres } from '../support/postgres.js';
import { createTestDatabase } from '../support/test-database.js';

async function run(url: string, ...statements: string[]): Promise<pg.QueryResult> {
  const client = await openConnection(url);
  try {
    let last: pg.QueryResult | undefined;
    for (const statement of statements) last = await client.query(statement);
    if (!last) throw new Error('nothing to run');
    return last;
  } finally {
    await client.end();
  }
}

async function database(migrated = true): Promise<string> {
  const created = await createTestDatabase({ migrated });
  onTestFinished(() => created.drop());
  return created.url;
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

const ALL = [
  'reachable',
  'version',
  'primary',
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'clock',
  'connections',
  'pooler',
  'transactions',
  'trigrams',
  'schema',
  'superadmin',
  'vacuum',
  'leftovers',
  'revocations',
  'deletions',
].map((id) => `database.${id}`);

const everything = (status: string, changes: Record<string, string> = {}) => ({
  ...Object.fromEntries(ALL.map((id) => [id, status])),
  ...Object.fromEntries(Object.entries(changes).map(([id, changed]) => [`database.${id}`, changed])),
});

describe('a durable server with a migrated database', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;

  beforeAll(async () => {
    server = await startPostgres({ durable: true });
  });

  afterAll(() => server.stop());

  it('doctor finds nothing to fix but the missing superadmin', async () => {
    const before = await diagnosed({ DATABASE_URL: server.url });
    expect(before.get('database.schema')).toMatchObject({ status: 'warning', fix: 'latchkey migrate up' });
    expect(before.get('database.superadmin')).toMatchObject({
      status: 'skipped',
      found: 'the schema is behind',
    });
    const { readSettings } = await import('@latchkey/core');
    const { openMigrations } = await import('@latchkey/operations');
    const migrations = openMigrations(readSettings({ DATABASE_URL: server.url }));
    await migrations.up();
    await migrations.close();
    const reports = await diagnosed({ DATABASE_URL: server.url });
    expect(outcomes(reports, ...ALL)).toEqual(everything('ok', { superadmin: 'warning' }));
  });

  it('doctor reports a server that became a standby as read-only', async () => {
    const { rows } = await run(server.url, 'show data_directory');
    const [{ data_directory: folder }] = rows as [{ data_directory: string }];
    await writeFile(join(folder, 'standby.signal'), '');
    await server.restart();
    const reports = await diagnosed({ DATABASE_URL: server.url });
    expect(reports.get('database.primary')).toMatchObject({ status: 'error', found: 'it is a standby' });
    expect(reports.get('database.reachable')?.status).toBe('ok');
  });
});

it('doctor reports a server without fsync, as an error in production', async () => {
  // The server that the tests share runs so.
  const DATABASE_URL = await database();
  await run(DATABASE_URL, `ALTER DATABASE ${nameOf(DATABASE_URL)} SET synchronous_commit = off`);
  const ids = ['database.fsync', 'database.full_page_writes', 'database.synchronous_commit'];
  expect(Object.values(outcomes(await diagnosed({ DATABASE_URL }), ...ids))).toEqual(
    Array(3).fill('warning'),
  );
  const { productionSource } = await import('../support/doctor/check-case.js');
  const grave = await diagnosed({ ...productionSource(), REDIS_URL: await nowhere('redis'), DATABASE_URL });
  expect(outcomes(grave, ...ids)).toEqual({
    'database.fsync': 'error',
    'database.full_page_writes': 'error',
    'database.synchronous_commit': 'warning',
  });
});

const nowhere = async (scheme: string): Promise<string> => `${scheme}://127.0.0.1:${await freePort()}`;

it('doctor reports a read-only database, and a missing extension', async () => {
  const DATABASE_URL = await database();
  await run(
    DATABASE_URL,
    'DROP EXTENSION pg_trgm CASCADE',
    `ALTER DATABASE ${nameOf(DATABASE_URL)} SET default_transaction_read_only = on`,
  );
  expect(outcomes(await diagnosed({ DATABASE_URL }), 'database.primary', 'database.trigrams')).toEqual({
    'database.primary': 'error',
    'database.trigrams': 'warning',
  });
});

it('doctor reports pools that exceed the connections', async () => {
  const DATABASE_URL = await database();
  const few = await diagnosed({ DATABASE_URL }, { replicas: 2 });
  expect(few.get('database.connections')?.status).toBe('ok');
  const many = await diagnosed({ DATABASE_URL }, { replicas: 100 });
  expect(many.get('database.connections')).toMatchObject({ status: 'error' });
  await run(DATABASE_URL, `ALTER DATABASE ${nameOf(DATABASE_URL)} CONNECTION LIMIT 15`);
  const limited = await diagnosed({ DATABASE_URL }, { replicas: 2 });
  expect(limited.get('database.connections')).toMatchObject({
    status: 'error',
    found: expect.stringMatching(/^2 × 10 of 15,/) as string,
  });
});

it('doctor reports a changed migration', async () => {
  const DATABASE_URL = await database();
  await run(DATABASE_URL, "UPDATE schema_migrations SET checksum = 'other' WHERE version = '0001'");
  expect((await diagnosed({ DATABASE_URL })).get('database.schema')).toMatchObject({
    status: 'error',
    found: 'changed: 0001_users.sql',
  });
});

it('a superadmin who can sign in is enough, and one who cannot is not', async () => {
  const DATABASE_URL = await database();
  await run(
    DATABASE_URL,
    `INSERT INTO users (id, email, global_role, approval_status, is_active)
     VALUES (gen_random_uuid(), 'gone@example.com', 'PLATFORM_SUPERADMIN', 'APPROVED', false)`,
  );
  expect((await diagnosed({ DATABASE_URL })).get('database.superadmin')?.status).toBe('warning');
  await run(DATABASE_URL, "UPDATE users SET is_active = true WHERE email = 'gone@example.com'");
  expect((await diagnosed({ DATABASE_URL })).get('database.superadmin')?.status).toBe('ok');
});

it('doctor reports sessions and revocations from long ago, dead rows and stuck mail', async () => {
  const DATABASE_URL = await database();
  await run(
    DATABASE_URL,
    // It comes once a minute, and may come before the doctor.
    'ALTER TABLE sessions SET (autovacuum_enabled = false)',
    `INSERT INTO users (id, email) VALUES ('01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55', 'ann@example.com')`,
    `INSERT INTO sessions (id, user_id, selector_digest, secret_digest, origin, amr, expires_at)
     SELECT gen_random_uuid(), '01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55', sha256(n::text::bytea), sha256('x'), 'password',
       '{pwd}', now() - interval '100 days' FROM generate_series(1, 22000) AS n`,
    `INSERT INTO mail_outbox (id, kind, recipient, created_at, last_error)
     VALUES (gen_random_uuid(), 'password_changed', 'ann@example.com', now() - interval '1 hour', 'no route')`,
    'DELETE FROM sessions WHERE ctid IN (SELECT ctid FROM sessions LIMIT 11500)',
    `INSERT INTO revocations (session_id, created_at) VALUES (gen_random_uuid(), now() - interval '10 days')`,
    'SELECT pg_stat_force_next_flush()',
  );
  const reports = await diagnosed({ DATABASE_URL });
  expect(
    outcomes(reports, 'database.leftovers', 'database.revocations', 'database.vacuum', 'mail.outbox'),
  ).toEqual({
    'database.leftovers': 'warning',
    'database.revocations': 'warning',
    'database.vacuum': 'warning',
    'mail.outbox': 'warning',
  });
  expect(reports.get('mail.outbox')?.found).toMatch(
    /^1 waiting, the oldest for 1 hour, .* last error: no route$/,
  );
});

it('doctor reports a transaction that stays open', async () => {
  const DATABASE_URL = await database();
  const holder = await openConnection(DATABASE_URL);
  onTestFinished(() => holder.end());
  await holder.query('BEGIN');
  await holder.query('SELECT pg_sleep(0.2)');
  const { Database } = await import('../../packages/core/src/storage/database.js');
  const { probeDatabase } = await import('../../packages/operations/src/doctor/probes/database-probe.js');
  const looking = new Database({ url: DATABASE_URL, poolMax: 3, preparedStatements: false });
  onTestFinished(() => looking.close());
  const { oldestTransaction } = await probeDatabase(looking, []);
  expect(oldestTransaction).toBeGreaterThan(0.2);
});

it('doctor reports a connection pooler', async () => {
  const direct = await database();
  const pooler = await poolerBefore(direct);
  onTestFinished(() => pooler.close());
  expect((await diagnosed({ DATABASE_URL: pooler.url })).get('database.pooler')).toMatchObject({
    status: 'ok',
    found: 'a pooler that holds prepared statements',
  });
});

it('an unavailable database is one error, and the checks that need it are skipped', async () => {
  const away = await diagnosed({
    DATABASE_URL: `postgres://u:hidden-word@127.0.0.1:${await freePort()}/auth`,
  });
  expect(outcomes(away, ...ALL)).toEqual(everything('skipped', { reachable: 'error' }));
  expect(away.get('database.reachable')?.found).toMatch(/ECONNREFUSED/);
  expect(JSON.stringify([...away])).not.toContain('hidden-word');
});

it('without a database there is a warning that says how to get one', async () => {
  expect(outcomes(await diagnosed({}), ...ALL)).toEqual(everything('skipped', { reachable: 'warning' }));
});
