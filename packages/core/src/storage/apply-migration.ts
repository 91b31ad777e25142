import type { Connection } from './connection-pool.js';
import type { Database } from './database.js';
import { MIGRATION_TIMEOUT_MS } from './deadlines.js';
import { IndexBuilder } from './index-builder.js';
import { readIndexStatements } from './index-statements.js';
import type { MigrationFile } from './migration-file.js';
import { beginLocked, isRecorded, recordMigration } from './migration-ledger.js';

/**
 * Applies the file unless another process has; returns whether it did. A connection that is released inside a
 * transaction is closed, which rolls back: no ROLLBACK needed.
 */
export async function applyMigration(database: Database, file: MigrationFile): Promise<boolean> {
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
