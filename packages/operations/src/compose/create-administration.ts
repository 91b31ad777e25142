import os from 'node:os';
import { AuthEvents } from '@latchkey/core/internal/audit/auth-events';
import { ADMINISTRATION_PARTS, adminOf } from '@latchkey/core/internal/compose/administration-parts';
import { assertSettings } from '@latchkey/core/internal/compose/check-wiring';
import { mailElsewhere } from '@latchkey/core/internal/compose/mail-delivery';
import { lazyBreachList } from '@latchkey/core/internal/compose/open-breach-list';
import { createMigrator, openDatabase } from '@latchkey/core/internal/compose/open-database';
import type { AccessOptions } from '@latchkey/core/internal/compose/open-entitlements';
import { lazyPlaces } from '@latchkey/core/internal/compose/open-geoip';
import { createRepositories } from '@latchkey/core/internal/compose/repositories';
import { assemble } from '@latchkey/core/internal/kernel/assemble';
import { systemClock } from '@latchkey/core/internal/kernel/clock';
import type { FieldFault } from '@latchkey/core/internal/kernel/field-fault';
import { type Logger, silentLogger } from '@latchkey/core/internal/kernel/logger';
import { unobserved } from '@latchkey/core/internal/kernel/observer';
import { validationError } from '@latchkey/core/internal/kernel/validation-error';
import { LazyPasswordHasher } from '@latchkey/core/internal/passwords/lazy-password-hasher';
import type { Settings } from '@latchkey/core/internal/settings/settings';
import type { Database } from '@latchkey/core/internal/storage/database';
import { openEphemeralStore } from '@latchkey/core/internal/storage/open-ephemeral-store';
import type { Administration } from './administration.js';
import { OPERATIONS_PARTS } from './operations-parts.js';

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
    places: lazyPlaces(settings, logger),
    outbox: mailElsewhere(settings, repositories).outbox,
    observer: unobserved,
    tracer: undefined,
    clock: systemClock,
    entitlementsFunction: entitlements,
  };
  const parts = assemble(given, { ...ADMINISTRATION_PARTS, ...OPERATIONS_PARTS });
  return {
    ...adminOf(parts),
    userImports: parts.userImporter,
    userExports: parts.userExporter,
    maintenance: parts.maintenance,
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
