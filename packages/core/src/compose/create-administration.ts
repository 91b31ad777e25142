import os from 'node:os';
import { AuthEvents } from '../audit/auth-events.js';
import { assemble } from '../kernel/assemble.js';
import { systemClock } from '../kernel/clock.js';
import type { FieldFault } from '../kernel/field-fault.js';
import { type Logger, silentLogger } from '../kernel/logger.js';
import { unobserved } from '../kernel/observer.js';
import { validationError } from '../kernel/validation-error.js';
import { LazyPasswordHasher } from '../passwords/lazy-password-hasher.js';
import type { Settings } from '../settings/settings.js';
import type { Database } from '../storage/database.js';
import { openEphemeralStore } from '../storage/open-ephemeral-store.js';
import type { Administration } from './admin.js';
import { ADMINISTRATION_PARTS, adminOf } from './administration-parts.js';
import { assertSettings } from './check-wiring.js';
import { mailElsewhere } from './mail-delivery.js';
import { lazyBreachList } from './open-breach-list.js';
import { createMigrator, openDatabase } from './open-database.js';
import type { AccessOptions } from './open-entitlements.js';
import { createRepositories } from './repositories.js';

const MAX_HASHING_THREADS = 4;

interface CreateAdministrationOptions extends AccessOptions {
  logger?: Logger;
}

/**
 * Builds the services for operators. Never applies migrations.
 * @throws TypeError without a database URL, PendingMigrationsError when migrations are pending, MigrationError when
 * the schema does not match otherwise, AuthError `service_unavailable` when PostgreSQL is unavailable.
 * @example
 * ```ts
 * const settings = readSettings({ DATABASE_URL: kit.databaseUrl }, 'administration');
 * const administration = await createAdministration(settings);
 * (await administration.mail.failed()).count; // → 0
 * await administration.close();
 * ```
 */
export async function createAdministration(
  settings: Settings,
  { logger = silentLogger, entitlements }: CreateAdministrationOptions = {},
): Promise<Administration> {
  assertSettings('createAdministration', settings);
  const database = await openCurrentDatabase(settings, logger);
  const store = await openEphemeralStore({
    clock: systemClock,
    observer: unobserved,
    ...settings.redis,
    url: settings.redis.url?.reveal(),
    logger,
  });
  // An operator sets one password at a time, but an import may wrap many.
  const passwords = new LazyPasswordHasher({
    observer: unobserved,
    ...settings.passwords.argon2,
    workers: Math.min(os.availableParallelism(), MAX_HASHING_THREADS),
    logger,
  });
  const breached = lazyBreachList(settings, logger);
  const repositories = createRepositories(database, new AuthEvents(logger));
  const given = {
    ...repositories,
    settings,
    logger,
    store,
    passwords,
    breached,
    outbox: mailElsewhere(settings, repositories).outbox,
    observer: unobserved,
    tracer: undefined,
    clock: systemClock,
    entitlementsFunction: entitlements,
  };
  const parts = assemble(given, ADMINISTRATION_PARTS);
  return {
    ...adminOf(parts),
    passwordObjection: async (password, email) =>
      objectionOf(await parts.policy.faultsIn({ password, email })),
    close: async () => {
      await Promise.all([passwords.close(), store.close(), breached?.close()]);
      await database.close();
    },
  };
}

async function openCurrentDatabase(settings: Settings, logger: Logger): Promise<Database> {
  const database = openDatabase(settings, logger);
  try {
    await createMigrator(settings, database, logger).assertCurrent();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

const objectionOf = (faults: readonly FieldFault[]): string | undefined =>
  faults.length === 0 ? undefined : validationError(faults).message;
