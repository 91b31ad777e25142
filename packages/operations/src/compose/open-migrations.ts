import { assertSettings } from '@latchkey/core/internal/compose/check-wiring';
import { createMigrator, openDatabase } from '@latchkey/core/internal/compose/open-database';
import { type Logger, silentLogger } from '@latchkey/core/internal/kernel/logger';
import type { Settings } from '@latchkey/core/internal/settings/settings';
import type {
  MigrationResult,
  MigrationStatus,
  PendingMigration,
} from '@latchkey/core/internal/storage/migrator';

/** The migrations of the authentication database, for a separate step of a deployment. */
export interface Migrations {
  /** Applies pending migrations. @throws MigrationError, AuthError `service_unavailable`. */
  up(): Promise<MigrationResult>;
  /** Returns every migration in the order of versions, without changes. @throws MigrationError, AuthError `service_unavailable`. */
  status(): Promise<MigrationStatus[]>;
  /** Returns what `up` would apply, without changes. @throws MigrationError, AuthError `service_unavailable`. */
  pending(): Promise<PendingMigration[]>;
  close(): Promise<void>;
}

/**
 * Returns the migrations of a database. Connects with the first call.
 * @throws TypeError without a database URL, MigrationError without files.
 * @example
 * ```ts
 * const migrations = openMigrations(readSettings({ DATABASE_URL: kit.databaseUrl }));
 * (await migrations.status()).every(({ state }) => state === 'applied'); // → true
 * await migrations.close();
 * ```
 */
export function openMigrations(settings: Settings, options: { logger?: Logger } = {}): Migrations {
  assertSettings('openMigrations', settings);
  const logger = options.logger ?? silentLogger;
  const database = openDatabase(settings, logger);
  const migrator = createMigrator(settings, database, logger);
  return {
    up: () => migrator.up(),
    status: () => migrator.status(),
    pending: () => migrator.pending(),
    close: () => database.close(),
  };
}
