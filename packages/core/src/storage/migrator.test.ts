import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { silentLogger } from '../kernel/logger.js';
import { Database } from './database.js';
import { MigrationError, Migrator } from './migrator.js';
import { toCount } from './postgres-types.js';

let testDatabase: TestDatabase;
let database: Database;
let folder: string;
let migrator: Migrator;

const open = () => new Database({ url: testDatabase.url, poolMax: 2, preparedStatements: true });
const write = (fileName: string, sql: string) => writeFile(join(folder, fileName), sql);
/** Waits until a migration of this test sleeps in the database. */
const untilNapping = () =>
  waitUntil(
    () =>
      database.run((knex) =>
        knex('pg_stat_activity')
          .whereRaw("datname = current_database() and pid <> pg_backend_pid() and query ~ 'pg_sleep'")
          .first(),
      ),
    { what: 'a migration under way' },
  );
const tables = () =>
  database.run((knex) =>
    knex('pg_tables').where({ schemaname: 'public' }).orderBy('tablename').pluck('tablename'),
  );

beforeEach(async () => {
  testDatabase = await createTestDatabase({ migrated: false });
  folder = await mkdtemp(join(tmpdir(), 'latchkey-migrations-'));
  database = open();
  migrator = new Migrator(database, folder, silentLogger);
  await write('0001_apples.sql', 'create table apples (id int);\ncreate index on apples (id);\n');
  await write('0002_pears.sql', "create table pears (id int, data jsonb);\nselect '{}'::jsonb ? 'a';\n");
});

afterEach(async () => {
  await database.close();
  await testDatabase.drop();
  await rm(folder, { recursive: true });
});

describe('up', () => {
  it('up applies each file once, in order', async () => {
    expect(await migrator.up()).toEqual({
      applied: ['0001_apples.sql', '0002_pears.sql'],
      already: 0,
      newer: [],
    });
    expect(await migrator.up()).toEqual({ applied: [], already: 2, newer: [] });
    expect(await tables()).toEqual(['apples', 'pears', 'schema_migrations']);
  });

  it('up applies only new files', async () => {
    await migrator.up();
    await write('0003_plums.sql', 'create table plums (id int)');
    expect(await migrator.up()).toEqual({ applied: ['0003_plums.sql'], already: 2, newer: [] });
  });

  it('up rolls back a file that fails, names it and its line, and keeps the files before it', async () => {
    await write('0003_plums.sql', 'create table plums (id int);\n\nselect nonsense;\n');
    const failure: unknown = await migrator.up().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MigrationError);
    expect((failure as Error).message).toMatch(/^0003_plums\.sql failed in line 3: .*nonsense/);
    expect(await tables()).toEqual(['apples', 'pears', 'schema_migrations']);
    expect((await migrator.status()).map(({ state }) => state)).toEqual(['applied', 'applied', 'pending']);

    await write('0003_plums.sql', 'create table plums (id int);');
    expect(await migrator.up()).toEqual({ applied: ['0003_plums.sql'], already: 2, newer: [] });
  });

  it('up rejects a file that commits by itself', async () => {
    await write('0003_plums.sql', 'create table plums (id int); commit;');
    await expect(migrator.up()).rejects.toThrow(/0003_plums\.sql failed.*COMMIT/);
  });

  it('up rejects files with an invalid name or the same version', async () => {
    await write('0002_plums.sql', 'select 1');
    await expect(migrator.up()).rejects.toThrow('0002_pears.sql and 0002_plums.sql have the same version');
    await rm(join(folder, '0002_plums.sql'));
    await write('3-plums.sql', 'select 1');
    await expect(migrator.up()).rejects.toThrow('3-plums.sql is not a valid name for a migration');
  });

  it('up rejects a missing folder', async () => {
    const lost = new Migrator(database, join(folder, 'nowhere'), silentLogger);
    await expect(lost.up()).rejects.toThrow(MigrationError);
  });

  it('up fails with service_unavailable if the database is unavailable', async () => {
    await database.close();
    await expect(migrator.up()).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

describe('several processes that start at once', () => {
  it('several processes that start at once apply each file once', async () => {
    await write('0003_log.sql', 'create table log (at timestamptz); insert into log values (now());');
    await write('0004_more.sql', 'select pg_sleep(0.1); insert into log values (now());');
    const databases = Array.from({ length: 6 }, open);
    const results = await Promise.all(databases.map((own) => new Migrator(own, folder, silentLogger).up()));
    await Promise.all(databases.map((own) => own.close()));

    const applied = results.flatMap((result) => result.applied);
    expect(applied.sort()).toEqual(['0001_apples.sql', '0002_pears.sql', '0003_log.sql', '0004_more.sql']);
    for (const result of results) expect(result.applied.length + result.already).toBe(4);
    const row = await database.run((knex) => knex('log').count({ total: '*' }).first());
    expect(toCount(row?.total)).toBe(2);
  });

  it('several processes wait for a migration longer than any deadline of a request', async () => {
    await write('0003_slow.sql', 'select pg_sleep(5)');
    const other = open();
    const first = migrator.up();
    await untilNapping();
    const second = new Migrator(other, folder, silentLogger).up();
    const results = await Promise.all([first, second]);
    await other.close();
    expect(results.flatMap(({ applied }) => applied)).toContain('0003_slow.sql');
    expect(results.map(({ applied, already }) => applied.length + already)).toEqual([3, 3]);
  });

  it('several processes with different files detect the difference', async () => {
    const otherFolder = await mkdtemp(join(tmpdir(), 'latchkey-migrations-'));
    await writeFile(
      join(otherFolder, '0001_apples.sql'),
      'select pg_sleep(1); create table apples (other int)',
    );
    const other = open();
    const first = new Migrator(other, otherFolder, silentLogger).up();
    await untilNapping();
    await rm(join(folder, '0002_pears.sql'));
    await expect(migrator.up()).rejects.toThrow('0001_apples.sql was changed');
    await first;
    await other.close();
    await rm(otherFolder, { recursive: true });
  });
});

describe('a ledger that does not fit the files', () => {
  const refusals = async () => {
    const failures = await Promise.allSettled([migrator.up(), migrator.assertCurrent()]);
    return failures.map((failure) => (failure.status === 'rejected' ? String(failure.reason) : 'accepted'));
  };

  it('a ledger is rejected if an applied file was changed', async () => {
    await migrator.up();
    await write('0001_apples.sql', 'create table apples (id bigint);');
    for (const refusal of await refusals()) {
      expect(refusal).toMatch(
        /^MigrationError: 0001_apples\.sql was changed after it was applied on 2.*new migration/,
      );
    }
    expect((await migrator.status()).map(({ state }) => state)).toEqual(['changed', 'applied']);
  });

  it('a ledger is accepted if only line ends and a byte order mark differ', async () => {
    await migrator.up();
    await write('0001_apples.sql', '\uFEFFcreate table apples (id int);\r\ncreate index on apples (id);\r\n');
    expect(await migrator.up()).toEqual({ applied: [], already: 2, newer: [] });
  });

  it('a ledger is rejected if an applied file is missing', async () => {
    await migrator.up();
    await rm(join(folder, '0001_apples.sql'));
    for (const refusal of await refusals()) {
      expect(refusal).toMatch(
        /0001_apples\.sql was applied to this database but is not in .*MIGRATIONS_PATH/,
      );
    }
    expect((await migrator.status()).map(({ state }) => state)).toEqual(['missing', 'applied']);
  });

  it('a ledger that is newer than the program is rejected, and nothing is applied', async () => {
    await write('0004_figs.sql', 'create table figs (id int)');
    await migrator.up();
    await rm(join(folder, '0004_figs.sql'));
    await write('0003_plums.sql', 'create table plums (id int)');
    for (const refusal of await refusals()) {
      expect(refusal).toMatch(/0004_figs\.sql, which is newer than 0003_plums\.sql/);
    }
    expect(await tables()).not.toContain('plums');
  });
});

describe('status and assertCurrent', () => {
  it('status and assertCurrent work on an empty database and write nothing', async () => {
    expect(await migrator.status()).toEqual([
      { version: '0001', name: 'apples', state: 'pending', compatible: null, appliedAt: null },
      { version: '0002', name: 'pears', state: 'pending', compatible: null, appliedAt: null },
    ]);
    await expect(migrator.assertCurrent()).rejects.toMatchObject({
      name: 'MigrationError',
      message: 'The database lacks 0001_apples.sql, 0002_pears.sql. Run the migrations.',
      pending: ['0001_apples.sql', '0002_pears.sql'],
    });
    expect(await tables()).toEqual([]);
  });

  it('status and assertCurrent report a migrated database', async () => {
    await migrator.up();
    const [first] = await migrator.status();
    expect(first).toMatchObject({ version: '0001', name: 'apples', state: 'applied' });
    expect(first?.appliedAt).toBeInstanceOf(Date);
    expect(await migrator.assertCurrent()).toEqual([]);
  });
});
