import { AuthError } from '../kernel/auth-error.js';
import type { Logger } from '../kernel/logger.js';
import type { Connection } from './connection-pool.js';
import { mapDatabaseError } from './database-error.js';
import { assertUtf8, createSchema, missingRight } from './database-fitness.js';
import type { Database } from './database.js';
import { MIGRATION_TIMEOUT_MS } from './deadlines.js';
import { IndexBuilder } from './index-builder.js';
import { readIndexStatements } from './index-statements.js';
import { assertMayMigrate, fitLedger, type LedgerFit } from './ledger-fit.js';
import { MigrationError, PendingMigrationsError } from './migration-error.js';
import { readMigrationFiles, type MigrationFile } from './migration-file.js';
import {
  beginLocked,
  isRecorded,
  prepareLedger,
  readLedger,
  recordMigration,
  type LedgerEntry,
} from './migration-ledger.js';
import { migrationStatuses, type MigrationStatus } from './migration-status.js';

export { MigrationError, PendingMigrationsError } from './migration-error.js';
export type { MigrationStatus } from './migration-status.js';

/** The result of `up`. */
export interface MigrationResult {
  /** The names of the files that this call applied, in order. */
  applied: string[];
  /** Number of files that were applied before, or meanwhile by another process. */
  already: number;
  /** Names of compatible migrations in the database that are newer than every file, in order. */
  newer: string[];
}

/** A file that is not applied yet. */
export interface PendingMigration {
  fileName: string;
  sql: string;
  /** True if the version of the program before it runs on its result; null if it does not say, which counts as false. */
  compatible: boolean | null;
  /** False if it builds or drops indexes outside a transaction. */
  transactional: boolean;
}

/**
 * Brings a database to the schema of a folder of `NNNN_noun.sql` files. Each file runs in one transaction together
 * with its row in `schema_migrations`, except files marked `-- no transaction`, whose statements on indexes can be
 * repeated. Any number of processes may migrate at once: each file is applied by one of them.
 */
export class Migrator {
  readonly #database: Database;
  readonly #directory: string;
  readonly #logger: Logger;

  constructor(database: Database, migrationsDirectory: string, logger: Logger) {
    this.#database = database;
    this.#directory = migrationsDirectory;
    this.#logger = logger;
  }

  /**
   * Applies the pending files. Throws MigrationError if the ledger and the files do not match, before anything is
   * applied, or if a file fails: that file is rolled back, and the files before it stay applied.
   */
  async up(): Promise<MigrationResult> {
    const { files, fit } = await this.#compare();
    assertMayMigrate(fit);
    const applied = await this.#applyAll(files, fit.pending);
    if (applied.length > 0) this.#logger.info({ migrations: applied }, summaryOf(applied));
    const already = files.length - applied.length;
    // Another process may have applied them meanwhile, from other files.
    if (applied.length < fit.pending.length) return { applied, already, newer: await this.assertCurrent() };
    return { applied, already, newer: fit.newer };
  }

  /** Returns every file and every ledger row, by version. Writes nothing. */
  async status(): Promise<MigrationStatus[]> {
    const [files, ledger] = await Promise.all([readMigrationFiles(this.#directory), this.#readLedger()]);
    return migrationStatuses(files, ledger);
  }

  /** Returns the files that `up` would apply, in order. Throws MigrationError like it. Writes nothing. */
  async pending(): Promise<PendingMigration[]> {
    const { fit } = await this.#compare();
    assertMayMigrate(fit);
    return fit.pending.map(({ fileName, sql, compatible, transactional }) => ({
      fileName,
      sql,
      compatible,
      transactional,
    }));
  }

  /**
   * Throws MigrationError unless this program can run on the schema, PendingMigrationsError if files of the folder are
   * not applied yet. Writes nothing.
   * @returns the names of applied migrations that are newer than every file, all of them compatible.
   */
  async assertCurrent(): Promise<string[]> {
    const { fit } = await this.#compare();
    if (fit.pending.length > 0) throw new PendingMigrationsError(fit.pending.map(({ fileName }) => fileName));
    return fit.newer;
  }

  async #compare(): Promise<{ files: MigrationFile[]; fit: LedgerFit }> {
    await this.#connected(assertUtf8);
    const [files, ledger] = await Promise.all([readMigrationFiles(this.#directory), this.#readLedger()]);
    return { files, fit: fitLedger(ledger, files, this.#directory) };
  }

  #readLedger(): Promise<LedgerEntry[]> {
    return this.#connected((connection) => readLedger(connection, this.#database.schema));
  }

  /** Runs the work on a connection. Throws MigrationError if the role lacks a right. */
  async #connected<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await this.#database.withConnection(work);
    } catch (error) {
      throw (await missingRight(error, this.#database)) ?? mapDatabaseError(error);
    }
  }

  async #applyAll(files: readonly MigrationFile[], pending: readonly MigrationFile[]): Promise<string[]> {
    const applied: string[] = [];
    if (pending.length > 0) await this.#prepareLedger(files);
    for (const file of pending) {
      if (await this.#apply(file)) applied.push(file.fileName);
    }
    return applied;
  }

  async #prepareLedger(files: readonly MigrationFile[]): Promise<void> {
    const { schema } = this.#database;
    await this.#connected(async (connection) => {
      if (schema !== undefined) await createSchema(connection, schema);
      await prepareLedger(connection, files);
    });
  }

  async #apply(file: MigrationFile): Promise<boolean> {
    try {
      const isApplied = await applyMigration(this.#database, file);
      if (isApplied) this.#logger.debug({ migration: file.fileName }, 'A migration was applied.');
      return isApplied;
    } catch (error) {
      throw (await missingRight(error, this.#database)) ?? migrationFailure(file, error);
    }
  }
}

/** Returns one line, however many there are: a first start applies all of them. */
const summaryOf = ({ length }: readonly string[]): string =>
  length === 1 ? '1 migration was applied.' : `${length} migrations were applied.`;

function migrationFailure(file: MigrationFile, error: unknown): unknown {
  if (error instanceof MigrationError) return error;
  const mapped = mapDatabaseError(error);
  if (AuthError.is(mapped) && mapped.code === 'service_unavailable') return mapped;
  const reason = error instanceof Error ? error.message : String(error);
  return new MigrationError(
    `${file.fileName} failed${lineOf(file, error)}: ${reason}. Fix the file and migrate again.`,
    error,
  );
}

/** Returns ` in line 12`, from the character position PostgreSQL reports in a file that is sent as one. */
function lineOf(file: MigrationFile, error: unknown): string {
  const position = error instanceof Error && 'position' in error ? Number(error.position) : Number.NaN;
  if (!file.transactional || !Number.isInteger(position)) return '';
  return ` in line ${file.sql.slice(0, position).split('\n').length}`;
}

/**
 * Applies the file unless another process has; returns whether it did. A connection that is released inside a
 * transaction is closed, which rolls back: no ROLLBACK needed.
 */
async function applyMigration(database: Database, file: MigrationFile): Promise<boolean> {
  return database.withConnection(async (connection) => {
    await beginLocked(connection);
    // A second starter that waited for the lock sees the row and has nothing to do.
    const isMissing = !(await isRecorded(connection, file));
    if (isMissing && file.transactional) await applyInTransaction(connection, file);
    if (isMissing && !file.transactional) await applyOutside(database, connection, file);
    await connection.query('commit');
    return isMissing;
  });
}

async function applyInTransaction(connection: Connection, file: MigrationFile): Promise<void> {
  await recordMigration(connection, file);
  const migration = { text: file.sql, query_timeout: MIGRATION_TIMEOUT_MS };
  await connection.query(migration);
  if (connection.getTransactionStatus() !== 'T') {
    throw new Error('it ends the transaction it runs in; remove its COMMIT or ROLLBACK');
  }
}

/**
 * Runs the statements on a connection of their own, while the open transaction of `lock` keeps other processes out. The
 * row is written last: a file that was interrupted is run again.
 */
async function applyOutside(database: Database, lock: Connection, file: MigrationFile): Promise<void> {
  const statements = readIndexStatements(file);
  await database.withOwnConnection(async (connection) => {
    const builder = new IndexBuilder(connection);
    for (const statement of statements) await builder.run(statement);
  });
  await recordMigration(lock, file);
}
