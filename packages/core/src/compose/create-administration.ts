import type { Logger } from '../kernel/logger.js';
import { silentLogger } from '../kernel/logger.js';
import { LazyPasswordHasher } from '../passwords/lazy-password-hasher.js';
import { PasswordPolicy } from '../passwords/password-policy.js';
import type { Settings } from '../settings/settings.js';
import { openEphemeralStore } from '../storage/open-ephemeral-store.js';
import type { Administration } from './administration.js';
import { buildAdministration } from './build-administration.js';
import { buildRecords } from './build-records.js';
import { createMigrator, openDatabase } from './open-database.js';

export interface CreateAdministrationOptions {
  logger?: Logger;
}

/**
 * Builds what operators need and nothing else. Never migrates.
 * @throws TypeError without a database URL, PendingMigrationsError when the schema is behind, MigrationError when it
 * does not fit otherwise, AuthError `service_unavailable` when PostgreSQL is away.
 */
export async function createAdministration(
  settings: Settings,
  { logger = silentLogger }: CreateAdministrationOptions = {},
): Promise<Administration> {
  const database = openDatabase(settings, logger);
  try {
    await createMigrator(settings, database, logger).assertCurrent();
  } catch (error) {
    await database.close();
    throw error;
  }
  const store = openEphemeralStore({ ...settings.redis, logger });
  // One thread: an operator sets one password at a time.
  const passwords = new LazyPasswordHasher({ ...settings.passwords.argon2, workers: 1, logger });
  const records = buildRecords(settings, { database, store, logger });
  return {
    ...buildAdministration(records, { passwords, policy: new PasswordPolicy(settings.passwords) }),
    close: async () => {
      await Promise.all([passwords.close(), store.close()]);
      await database.close();
    },
  };
}
