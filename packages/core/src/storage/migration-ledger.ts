import type { Connection } from './connection-pool.js';
import { MigrationError } from './migration-error.js';
import type { MigrationFile } from './migration-file.js';

export interface LedgerEntry {
  version: string;
  name: string;
  checksum: string;
  appliedAt: Date;
}

const CREATE_LEDGER = `
  create table if not exists schema_migrations (
    version    text primary key,
    name       text not null,
    checksum   text not null,
    applied_at timestamptz not null default clock_timestamp()
  )`;

/**
 * Held until the end of the transaction. A session lock would protect nothing behind PgBouncer's transaction
 * mode, and would have to be released by hand.
 */
const LOCK = "select pg_advisory_xact_lock(hashtextextended('latchkey schema_migrations', 0))";

/** Returns the applied migrations, by version; empty if the database has never been migrated. Writes nothing. */
export async function readLedger(connection: Connection): Promise<LedgerEntry[]> {
  const { rows: found } = await connection.query<{ exists: boolean }>(
    "select to_regclass('schema_migrations') is not null as exists",
  );
  if (found[0]?.exists !== true) return [];
  const { rows } = await connection.query<LedgerEntry>(
    'select version, name, checksum, applied_at as "appliedAt" from schema_migrations order by version',
  );
  return rows;
}

/** Waits until no other migrator works on this database, and creates the ledger if it is missing. */
export async function lockLedger(connection: Connection, query_timeout: number): Promise<void> {
  const lock = { text: LOCK, query_timeout };
  await connection.query(lock);
  await connection.query(CREATE_LEDGER);
}

/** Records the file; returns false if another migrator has recorded it before. */
export async function enterMigration(connection: Connection, file: MigrationFile): Promise<boolean> {
  const { rowCount } = await connection.query(
    `insert into schema_migrations (version, name, checksum) values ($1, $2, $3)
     on conflict (version) do nothing`,
    [file.version, file.name, file.checksum],
  );
  return rowCount === 1;
}

/** Throws MigrationError when an applied file was changed or is missing, or when the database is newer than the files. */
export function assertLedgerFits(
  ledger: readonly LedgerEntry[],
  files: readonly MigrationFile[],
  directory: string,
): void {
  const byVersion = new Map(files.map((file) => [file.version, file]));
  const newest = files.at(-1);
  for (const entry of ledger) {
    const file = byVersion.get(entry.version);
    if (file) assertUnchanged(entry, file);
    else if (newest === undefined || entry.version > newest.version) throw newerError(entry, newest);
    else throw missingError(entry, directory);
  }
}

function assertUnchanged(entry: LedgerEntry, file: MigrationFile): void {
  if (entry.checksum === file.checksum) return;
  throw new MigrationError(
    `${file.fileName} was changed after it was applied on ${entry.appliedAt.toISOString()}. ` +
      'Restore the file as it was and put the change into a new migration.',
  );
}

function missingError(entry: LedgerEntry, directory: string): MigrationError {
  return new MigrationError(
    `${fileNameOf(entry)} was applied to this database but is not in ${directory}. ` +
      'Restore the file, or point MIGRATIONS_PATH to the folder that holds it.',
  );
}

function newerError(entry: LedgerEntry, newest: MigrationFile | undefined): MigrationError {
  return new MigrationError(
    `The database has ${fileNameOf(entry)}, which is newer than ${newest?.fileName ?? 'no migration at all'}, the ` +
      'last one this program knows. Start the newer program, or restore a backup from before that migration.',
  );
}

function fileNameOf(entry: LedgerEntry): string {
  return `${entry.version}_${entry.name}.sql`;
}
