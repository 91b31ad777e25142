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
import { assemble, made, type PartsOf } from '@latchkey/core/internal/kernel/assemble';
import { systemClock } from '@latchkey/core/internal/kernel/clock';
import type { FieldFault } from '@latchkey/core/internal/kernel/field-fault';
import { type Logger, silentLogger } from '@latchkey/core/internal/kernel/logger';
import { unobserved } from '@latchkey/core/internal/kernel/observer';
import { validationError } from '@latchkey/core/internal/kernel/validation-error';
import { LazyPasswordHasher } from '@latchkey/core/internal/passwords/lazy-password-hasher';
import type { Settings } from '@latchkey/core/internal/settings/settings';
import type { Database } from '@latchkey/core/internal/storage/database';
import { openEphemeralStore } from '@latchkey/core/internal/storage/open-ephemeral-store';
import { MaintenanceService } from '../maintenance/maintenance-service.js';
import { RetentionRepository } from '../maintenance/retention-repository.js';
import { retentionsOf } from '../maintenance/retention.js';
import { UserExporter } from '../user-export/user-exporter.js';
import { ImportRunRepository } from '../user-import/import-run-repository.js';
import { UserImporter } from '../user-import/user-importer.js';
import type { Administration } from './administration.js';

interface Stored {
  readonly database: Database;
}

/** The parts that operators have beside those of the service, with the repositories that only they use. */
const OPERATIONS_PARTS = {
  rows: ({ database }: Stored) => new RetentionRepository(database),
  importRuns: ({ database }: Stored) => new ImportRunRepository(database),
  /** Identities of other connections would sign no one in. */
  importConnections: ({ settings }: { readonly settings: Settings }) =>
    (settings.external.providers?.reveal() ?? []).map(({ id, type }) => ({ id, type })),
  userImporter: made(UserImporter),
  userExporter: made(UserExporter),
  maintenance: (parts: { readonly settings: Settings } & PartsOf<typeof MaintenanceService>) =>
    new MaintenanceService(parts, retentionsOf(parts.settings)),
};

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
