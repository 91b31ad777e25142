import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './connection-pool.js';
import { SET_LOCAL_NO_DEADLINES } from './deadlines.js';
import type { MigrationFile } from './migration-file.js';

export interface LedgerEntry {
  version: string;
  name: string;
  checksum: string;
  appliedAt: Date;
  /** What the file declared; null if it declared nothing, or was recorded by a version that kept no declarations. */
  compatible: boolean | null;
  incompatibleReason: string | null;
}

/** The ledger of the first versions, which later ones extend. */
const CREATE_LEDGER = `
  create table if not exists schema_migrations (
    version    text primary key,
    name       text not null,
    checksum   text not null,
    applied_at timestamptz not null default clock_timestamp()
  )`;

const ADD_DECLARATIONS = `
  alter table schema_migrations
    add column if not exists compatible boolean,
    add column if not exists incompatible_reason text`;

/** Reads the declarations from the row as a whole: a ledger of the first versions does not have the columns. */
const READ_LEDGER = `
  select version, name, checksum, applied_at as "appliedAt",
    (to_jsonb(entry) ->> 'compatible')::boolean as compatible,
    to_jsonb(entry) ->> 'incompatible_reason' as "incompatibleReason"
  from schema_migrations entry order by version`;

const HAS_DECLARATIONS = `
  select exists (select from pg_attribute
    where attrelid = to_regclass('schema_migrations') and attname = 'incompatible_reason' and not attisdropped) as exists`;

/**
 * Held until the end of the transaction. A session lock would protect nothing behind PgBouncer's transaction
 * mode, and would have to be released by hand. A waiting statement would hold a snapshot, for which CREATE INDEX
 * CONCURRENTLY waits without an end, so the lock is tried again and again instead. Each try has a transaction of its own: an
 * index that is built meanwhile waits for the whole transaction of a snapshot that it met.
 */
const TRY_LOCK =
  "select pg_try_advisory_xact_lock(hashtextextended('latchkey schema_migrations', 0)) as locked";

/** READ COMMITTED, in which a transaction holds no snapshot between its statements. */
const BEGIN = `begin isolation level read committed; ${SET_LOCAL_NO_DEADLINES}`;

const LOCK_RETRY_MS = 50;

/** Returns the applied migrations, by version; empty if the database has never been migrated. Writes nothing. */
export async function readLedger(connection: Connection, schema: string | undefined): Promise<LedgerEntry[]> {
  // Other programs keep a table of this name in `public`, which is on the search path after a schema of our own.
  const table = schema === undefined ? 'schema_migrations' : `"${schema}".schema_migrations`;
  const { rows: found } = await connection.query<{ exists: boolean }>(
    'select to_regclass($1) is not null as exists',
    [table],
  );
  if (found[0]?.exists !== true) return [];
  const { rows } = await connection.query<LedgerEntry>(READ_LEDGER);
  return rows;
}

/** Begins a transaction in which no other process migrates this database: waits until the others have finished. */
export async function beginLocked(connection: Connection): Promise<void> {
  for (;;) {
    await connection.query(BEGIN);
    const { rows } = await connection.query<{ locked: boolean }>(TRY_LOCK);
    if (rows[0]?.locked === true) return;
    await connection.query('rollback');
    await sleep(LOCK_RETRY_MS);
  }
}

/**
 * Creates the ledger, or adds the declarations to one of the first versions, from the files that were applied. A
 * transaction of its own: the lock on the table must not last as long as a migration.
 */
export async function prepareLedger(connection: Connection, files: readonly MigrationFile[]): Promise<void> {
  if (await hasDeclarations(connection)) return;
  await beginLocked(connection);
  await connection.query(CREATE_LEDGER);
  await connection.query(ADD_DECLARATIONS);
  for (const file of files) await declare(connection, file);
  await connection.query('commit');
}

async function hasDeclarations(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query<{ exists: boolean }>(HAS_DECLARATIONS);
  return rows[0]?.exists === true;
}

async function declare(connection: Connection, file: MigrationFile): Promise<void> {
  if (file.compatible === null) return;
  await connection.query(
    `update schema_migrations set compatible = $3, incompatible_reason = $4
     where version = $1 and checksum = $2 and compatible is null`,
    [file.version, file.checksum, file.compatible, file.incompatibleReason],
  );
}

/**
 * Returns whether the file is recorded. Sends no parameters: the portal of a statement with parameters keeps its snapshot
 * until the end of the transaction, and a concurrent build of an index would wait for that.
 */
export async function isRecorded(connection: Connection, file: MigrationFile): Promise<boolean> {
  const { rows } = await connection.query<{ version: string }>('select version from schema_migrations');
  return rows.some(({ version }) => version === file.version);
}

/** Records the file. */
export async function recordMigration(connection: Connection, file: MigrationFile): Promise<void> {
  await connection.query(
    `insert into schema_migrations (version, name, checksum, compatible, incompatible_reason)
     values ($1, $2, $3, $4, $5)`,
    [file.version, file.name, file.checksum, file.compatible, file.incompatibleReason],
  );
}
