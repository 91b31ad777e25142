import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startCli } from '../../../../test/support/cli-process.js';
import { MigrationFolder } from '../../../../test/support/migration-folder.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import type { Connection } from './connection-pool.js';

const INDEX_FILE = '9001_apple_index.sql';
const BUILD = `-- compatible
-- no transaction
create index concurrently apples_weight on apples (weight); -- for the list of heavy ones
create unique index concurrently apples_id on apples (id);
`;

let folder: MigrationFolder;

beforeEach(async () => {
  folder = await MigrationFolder.create();
  // The command line accepts a folder that begins as ours does.
  await cp(join(import.meta.dirname, '../../../../migrations'), folder.path, { recursive: true });
  await folder.write('9000_apples.sql', '-- compatible\ncreate table apples (id int, weight int);');
  await folder.migrator().up();
  await folder.sql('insert into apples select i, i from generate_series(1, 100) i');
});

afterEach(() => folder.drop());

const indexes = () =>
  folder.sql(
    `select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'apples'::regclass order by 1`,
  );
const BUILT = [
  { name: 'apples_id', valid: true },
  { name: 'apples_weight', valid: true },
];

/** Runs the work while a transaction holds a snapshot, for which a build of an index waits. */
async function whileBuildWaits(work: () => Promise<void>): Promise<void> {
  const holding = async (connection: Connection): Promise<void> => {
    await connection.query('begin isolation level repeatable read');
    await connection.query('select from apples');
    await work();
  };
  await folder.open().withConnection(holding);
}

/** Returns the process of the server that builds an index, once it waits for the snapshot. */
const builder = () =>
  waitUntil(
    async () => {
      const [row] = await folder.sql(
        "select pid from pg_stat_activity where datname = current_database() and query ~* '^create' and wait_event = 'virtualxid'",
      );
      return row?.pid as number | undefined;
    },
    { what: 'a build that waits' },
  );

it('a migration without a transaction builds its indexes, once, also with a pool of one connection', async () => {
  await folder.write(INDEX_FILE, BUILD);
  const migrators = Array.from({ length: 4 }, () => folder.migrator(folder.open()));
  const results = await Promise.all(migrators.map((migrator) => migrator.up()));
  expect(results.flatMap(({ applied }) => applied)).toEqual([INDEX_FILE]);
  expect(await indexes()).toEqual(BUILT);
});

it('processes that wait for the lock do not hold up the build of an index', async () => {
  await folder.write(INDEX_FILE, BUILD);
  let results: Promise<unknown> = Promise.resolve();
  await whileBuildWaits(async () => {
    const migrators = Array.from({ length: 3 }, () => folder.migrator(folder.open()));
    results = Promise.all(migrators.map((migrator) => migrator.up()));
    await builder();
    expect(await indexes()).toEqual([{ name: 'apples_weight', valid: false }]);
  });
  await results;
  expect(await indexes()).toEqual(BUILT);
});

it('a process that waits for the lock holds no transaction, for whose end the build of an index would wait', async () => {
  await folder.write(INDEX_FILE, BUILD);
  const tries = (having: string) => async () =>
    (
      await folder.sql(
        `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
           and query ~ 'try_advisory|^rollback$' and ${having}`,
      )
    ).length > 0;
  let result: Promise<unknown> = Promise.resolve();
  await folder.open().withConnection(async (connection) => {
    await connection.query('begin');
    await connection.query("select pg_advisory_xact_lock(hashtextextended('latchkey schema_migrations', 0))");
    result = folder.migrator(folder.open()).up();
    await waitUntil(tries('true'), { what: 'a try' });
    await waitUntil(tries('xact_start is null'), { what: 'the end of its transaction' });
    await connection.query('commit');
  });
  await result;
  expect(await indexes()).toEqual(BUILT);
});

it('an index that an interrupted build left invalid is dropped and built again', async () => {
  await folder.write(INDEX_FILE, BUILD);
  await whileBuildWaits(async () => {
    const interrupted = folder.migrator(folder.open()).up();
    const ended = expect(interrupted).rejects.toMatchObject({ code: 'service_unavailable' });
    await folder.sql(`select pg_terminate_backend(${await builder()})`);
    await ended;
  });
  expect(await indexes()).toEqual([{ name: 'apples_weight', valid: false }]);
  expect((await folder.migrator().up()).applied).toEqual([INDEX_FILE]);
  expect(await indexes()).toEqual(BUILT);
});

it('a build that outlives its killed process is awaited and kept', async () => {
  await folder.write(INDEX_FILE, BUILD);
  let next: Promise<{ applied: string[] }> = Promise.resolve({ applied: [] });
  await whileBuildWaits(async () => {
    const env = { DATABASE_URL: folder.url, MIGRATIONS_PATH: folder.path };
    const process = startCli(['migrate', 'up'], { env });
    await builder();
    process.signal('SIGKILL');
    await process.exited;
    next = folder.migrator(folder.open()).up();
    await waitUntil(
      async () =>
        (
          await folder.sql(
            "select from pg_stat_activity where query ~ '^lock table' and wait_event_type = 'Lock'",
          )
        ).length > 0,
      { what: 'the next process to wait for the build' },
    );
    expect(await indexes()).toEqual([{ name: 'apples_weight', valid: false }]);
  });
  expect((await next).applied).toEqual([INDEX_FILE]);
  expect(await indexes()).toEqual(BUILT);
});

it('a unique index over duplicates fails, and its migration can be run again once they are gone', async () => {
  await folder.write(INDEX_FILE, BUILD);
  await folder.sql('insert into apples values (1, 1)');
  await expect(folder.migrator().up()).rejects.toThrow(
    /^9001_apple_index\.sql failed: could not create unique index "apples_id"\. Fix the file and migrate again\.$/,
  );
  await folder.sql('delete from apples where ctid = (select max(ctid) from apples where id = 1)');
  expect((await folder.migrator().up()).applied).toEqual([INDEX_FILE]);
  expect(await indexes()).toEqual(BUILT);
});

it('a migration without a transaction drops an index, also one that is gone', async () => {
  await folder.write(INDEX_FILE, BUILD);
  await folder.migrator().up();
  await folder.write(
    '9002_no_index.sql',
    '-- compatible\n-- no transaction\ndrop index concurrently apples_weight;\ndrop index concurrently if exists never_was;',
  );
  await folder.migrator().up();
  expect(await indexes()).toEqual([BUILT[0]]);
});

it.each([
  'create table plums (id int)',
  'create index apples_weight on apples (weight)',
  'create index concurrently on apples (weight)',
  "update apples set weight = 1 where id = 1; select ';'",
])('a migration without a transaction may contain nothing else: %s', async (sql) => {
  await folder.write(INDEX_FILE, `-- compatible\n-- no transaction\n${sql};`);
  await expect(folder.migrator().up()).rejects.toThrow(
    /^9001_apple_index\.sql runs outside a transaction, where only CREATE INDEX CONCURRENTLY/,
  );
  expect(await indexes()).toEqual([]);
});
