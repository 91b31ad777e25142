import { AuthError } from '../kernel/auth-error.js';
import type { Logger } from '../kernel/logger.js';
import type { Connection } from './connection-pool.js';
import { mapDatabaseError } from './database-error.js';
import type { Database } from './database.js';
import { SET_LOCAL_NO_DEADLINES } from './deadlines.js';
import { MigrationError, PendingMigrationsError } from './migration-error.js';
import { readMigrationFiles, type MigrationFile } from './migration-file.js';
import {
  assertLedgerFits,
  enterMigration,
  lockLedger,
  readLedger,
  type LedgerEntry,
} from './migration-ledger.js';

export { MigrationError, PendingMigrationsError } from './migration-error.js';

type MigrationState = 'applied' | 'pending' | 'changed' | 'missing';

/**
 * A migration and its status: `changed` if its file is not the one that was applied, `missing` without a file.
 * @example
 * ```ts
 * const isBad = ({ state }: MigrationStatus): boolean => state === 'changed' || state === 'missing';
 * isBad({ version: '0001', name: 'users', state: 'applied', appliedAt: new Date() }); // → false
 * ```
 */
export interface MigrationStatus {
  version: string;
  name: string;
  state: MigrationState;
  appliedAt: Date | null;
}

export interface MigrationResult {
  /** The names of the files that this call applied, in order. */
  applied: string[];
  /** Number of files that were applied before, or meanwhile by another process. */
  already: number;
}

/** Milliseconds pg waits for one migration's answer: a day, in place of the pool's few seconds. */
const MIGRATION_TIMEOUT_MS = 86_400_000;

/**
 * Brings a database to the schema of a folder of `NNNN_noun.sql` files. Each file runs in one transaction together
 * with its row in `schema_migrations`, so a file cannot use statements that refuse a transaction (`CREATE INDEX
 * CONCURRENTLY`). Any number of processes may migrate at once: each file is applied by one of them.
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
   * Applies the pending files. Throws MigrationError if the ledger and the files do not match, before
   * anything is applied, or if a file fails: that file is rolled back, and the files before it stay applied.
   */
  async up(): Promise<MigrationResult> {
    const files = await readMigrationFiles(this.#directory);
    const ledger = await this.#readLedger();
    assertLedgerFits(ledger, files, this.#directory);
    const pending = pendingOf(files, ledger);
    const applied: string[] = [];
    for (const file of pending) {
      if (await this.#apply(file)) applied.push(file.fileName);
    }
    if (applied.length > 0) this.#logger.info({ migrations: applied }, summaryOf(applied));
    // Another process may have applied them meanwhile, from other files.
    if (applied.length < pending.length) await this.assertCurrent();
    return { applied, already: files.length - applied.length };
  }

  /** Returns every file and every ledger row, by version. Writes nothing. */
  async status(): Promise<MigrationStatus[]> {
    const [files, ledger] = await Promise.all([readMigrationFiles(this.#directory), this.#readLedger()]);
    const versions = new Set([...files, ...ledger].map(({ version }) => version));
    return [...versions].sort().map((version) =>
      statusOf(
        files.find((file) => file.version === version),
        ledger.find((entry) => entry.version === version),
      ),
    );
  }

  /**
   * Throws MigrationError unless exactly the files of the folder are applied, PendingMigrationsError if some
   * are not applied yet. Writes nothing.
   */
  async assertCurrent(): Promise<void> {
    const [files, ledger] = await Promise.all([readMigrationFiles(this.#directory), this.#readLedger()]);
    assertLedgerFits(ledger, files, this.#directory);
    const pending = pendingOf(files, ledger).map((file) => file.fileName);
    if (pending.length > 0) throw new PendingMigrationsError(pending);
  }

  async #readLedger(): Promise<LedgerEntry[]> {
    try {
      return await this.#database.withConnection(readLedger);
    } catch (error) {
      throw mapDatabaseError(error);
    }
  }

  async #apply(file: MigrationFile): Promise<boolean> {
    try {
      const applied = await this.#database.withConnection((connection) => applyFile(connection, file));
      if (applied) this.#logger.debug({ migration: file.fileName }, 'A migration was applied.');
      return applied;
    } catch (error) {
      throw migrationFailure(file, error);
    }
  }
}

/** Returns one line, however many there are: a first start applies all of them. */
const summaryOf = ({ length }: readonly string[]): string =>
  length === 1 ? '1 migration was applied.' : `${length} migrations were applied.`;

/**
 * Applies the file. A connection that is released inside a transaction is closed, which rolls back: no
 * ROLLBACK needed.
 */
async function applyFile(connection: Connection, file: MigrationFile): Promise<boolean> {
  await connection.query(`begin; ${SET_LOCAL_NO_DEADLINES}`);
  await lockLedger(connection, MIGRATION_TIMEOUT_MS);
  // The ledger first: a second starter that waited for the lock sees the row and has nothing to do.
  const entered = await enterMigration(connection, file);
  if (entered) {
    const migration = { text: file.sql, query_timeout: MIGRATION_TIMEOUT_MS };
    await connection.query(migration);
    if (connection.getTransactionStatus() !== 'T') {
      throw new Error('it ends the transaction it runs in; remove its COMMIT or ROLLBACK');
    }
  }
  await connection.query('commit');
  return entered;
}

function migrationFailure(file: MigrationFile, error: unknown): unknown {
  const mapped = mapDatabaseError(error);
  if (AuthError.is(mapped) && mapped.code === 'service_unavailable') return mapped;
  const reason = error instanceof Error ? error.message : String(error);
  return new MigrationError(
    `${file.fileName} failed${lineOf(file, error)}: ${reason}. Fix the file and migrate again.`,
    error,
  );
}

/** Returns ` in line 12`, from the character position PostgreSQL reports. */
function lineOf(file: MigrationFile, error: unknown): string {
  const position = error instanceof Error && 'position' in error ? Number(error.position) : Number.NaN;
  if (!Number.isInteger(position)) return '';
  return ` in line ${file.sql.slice(0, position).split('\n').length}`;
}

function pendingOf(files: readonly MigrationFile[], ledger: readonly LedgerEntry[]): MigrationFile[] {
  const applied = new Set(ledger.map(({ version }) => version));
  return files.filter(({ version }) => !applied.has(version));
}

function statusOf(file: MigrationFile | undefined, entry: LedgerEntry | undefined): MigrationStatus {
  const { version, name } = file ?? entry ?? { version: '', name: '' };
  return { version, name, state: stateOf(file, entry), appliedAt: entry?.appliedAt ?? null };
}

function stateOf(file: MigrationFile | undefined, entry: LedgerEntry | undefined): MigrationState {
  if (!file) return 'missing';
  if (!entry) return 'pending';
  return entry.checksum === file.checksum ? 'applied' : 'changed';
}
