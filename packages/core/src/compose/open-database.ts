import type { Logger } from '../kernel/logger.js';
import type { Tracer } from '../kernel/tracer.js';
import type { Settings } from '../settings/settings.js';
import { Database } from '../storage/database.js';
import { Migrator } from '../storage/migrator.js';
import { resolveMigrationsDirectory } from '../storage/resolve-migrations-path.js';

/** Creates the pool of the authentication database without connecting. @throws TypeError without a URL. */
export function openDatabase(settings: Settings, logger: Logger, tracer?: Tracer): Database {
  const { url, schema, poolMax, preparedStatements } = settings.database;
  if (url === undefined) throw new TypeError('settings.database.url is needed (DATABASE_URL)');
  return new Database({ url: url.reveal(), schema, poolMax, preparedStatements, logger, tracer });
}

/** Creates the migrator. @throws MigrationError when there are no migration files. */
export function createMigrator(settings: Settings, database: Database, logger: Logger): Migrator {
  return new Migrator(database, resolveMigrationsDirectory(settings.database.migrationsPath), logger);
}
