import type { Logger } from '../kernel/logger.js';
import { silentLogger } from '../kernel/logger.js';
import type { Settings } from '../settings/settings.js';
import type { MigrationResult, MigrationStatus } from '../storage/migrator.js';
import { createMigrator, openDatabase } from './open-database.js';

/** The schema of the authentication database, for a step of its own before a deployment. */
export interface Migrations {
  /** Applies what is pending. @throws MigrationError, AuthError `service_unavailable`. */
  up(): Promise<MigrationResult>;
  /** Every migration by version. Writes nothing. @throws MigrationError, AuthError `service_unavailable`. */
  status(): Promise<MigrationStatus[]>;
  close(): Promise<void>;
}

/** Connects with the first call. @throws TypeError without a database URL, MigrationError without files. */
export function openMigrations(settings: Settings, options: { logger?: Logger } = {}): Migrations {
  const logger = options.logger ?? silentLogger;
  const database = openDatabase(settings, logger);
  const migrator = createMigrator(settings, database, logger);
  return {
    up: () => migrator.up(),
    status: () => migrator.status(),
    close: () => database.close(),
  };
}
