import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { PREPARE, ROW_MAKERS, type RowMaker } from './row-makers.js';

/** The size of a population on disk, indexes included. */
export const BYTES_PER_USER = 7_000;
/** From this many new users on, indexes are built after the rows instead of with each of them. */
const MANY = 20_000;

export interface Growth {
  url: string;
  /** Number of users so far, 0 for a database that was just migrated. */
  from: number;
  to: number;
  passwordHash: string;
  /** Receives a line for each finished table. */
  report: (line: string) => void;
}

/**
 * Adds users, with their sessions, audit rows, memberships, invitations, tokens, passkeys and mail, until there are `to`
 * users. All rows are made inside PostgreSQL. Requires a superuser: foreign keys and triggers are skipped, and commits
 * do not wait for the disk meanwhile.
 */
export async function growPopulation(growth: Growth): Promise<void> {
  const clients = await Promise.all(ROW_MAKERS.map(() => connect(growth.url)));
  const [first] = clients;
  if (!first) throw new TypeError('there are no row makers');
  try {
    if (growth.from === 0) await first.query(PREPARE);
    await relaxServer(first);
    await Promise.all(clients.map((client) => client.query(FILL_SETTINGS)));
    const indexes = growth.to - growth.from >= MANY ? await dropIndexes(first) : [];
    await Promise.all(ROW_MAKERS.map((makers, index) => fill(clients[index] ?? first, makers, growth)));
    await buildIndexes(clients, indexes, growth.report);
    await timed('VACUUM ANALYZE', growth.report, () => first.query('VACUUM ANALYZE'));
    await restoreServer(first);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

const FILL_SETTINGS = `
  SET session_replication_role = replica;
  SET synchronous_commit = off;
  SET maintenance_work_mem = '512MB';
  SET max_parallel_maintenance_workers = 1;`;

const RELAXED = { fsync: 'off', full_page_writes: 'off', max_wal_size: "'2GB'", autovacuum: 'off' };

/** Settings that a reload applies. They are ignored where the command line of the server sets them. */
async function relaxServer(client: pg.Client): Promise<void> {
  for (const [name, value] of Object.entries(RELAXED)) {
    await client.query(`ALTER SYSTEM SET ${name} = ${value}`);
  }
  await client.query('SELECT pg_reload_conf()');
}

async function restoreServer(client: pg.Client): Promise<void> {
  for (const name of Object.keys(RELAXED)) await client.query(`ALTER SYSTEM RESET ${name}`);
  await client.query('SELECT pg_reload_conf()');
  await client.query('CHECKPOINT');
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

async function fill(client: pg.Client, makers: readonly RowMaker[], growth: Growth): Promise<void> {
  const { from, to, passwordHash, report } = growth;
  for (const { table, sql, takesPasswordHash } of makers) {
    await timed(table, report, () =>
      client.query(sql, takesPasswordHash ? [from, to, passwordHash] : [from, to]),
    );
  }
}

interface Index {
  name: string;
  definition: string;
}

/** Drops the indexes that no constraint needs and returns what creates them again. */
async function dropIndexes(client: pg.Client): Promise<Index[]> {
  const { rows } = await client.query<Index>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
     WHERE t.relnamespace = current_schema()::regnamespace
       AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid)
     ORDER BY t.relpages DESC`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows;
}

async function buildIndexes(
  clients: readonly pg.Client[],
  indexes: readonly Index[],
  report: Growth['report'],
): Promise<void> {
  const waiting = [...indexes];
  await timed(`${indexes.length} indexes`, report, () =>
    Promise.all(
      clients.map(async (client) => {
        for (let index = waiting.shift(); index; index = waiting.shift())
          await client.query(index.definition);
      }),
    ),
  );
}

async function timed(what: string, report: Growth['report'], work: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await work();
  report(`  ${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
