import { AuthEvents } from '../audit/auth-events.js';
import { AuthError } from '../kernel/auth-error.js';
import { systemClock } from '../kernel/clock.js';
import { type Logger, silentLogger } from '../kernel/logger.js';
import { unobserved } from '../kernel/observer.js';
import { PasswordSetter } from '../login/password-setter.js';
import { LazyPasswordHasher } from '../passwords/lazy-password-hasher.js';
import { PasswordPolicy } from '../passwords/password-policy.js';
import type { Settings } from '../settings/settings.js';
import type { Database } from '../storage/database.js';
import { openEphemeralStore } from '../storage/open-ephemeral-store.js';
import type { Administration } from './admin.js';
import { buildAccess, openEntitlements, type AccessOptions } from './build-access.js';
import { buildAdmin } from './build-admin.js';
import { buildInvitations } from './build-invitations.js';
import { buildSessionRevocation } from './build-session-revocation.js';
import { assertSettings } from './check-wiring.js';
import { mailElsewhere } from './mail-delivery.js';
import { createMigrator, openDatabase } from './open-database.js';
import { createRepositories } from './repositories.js';

export interface CreateAdministrationOptions extends AccessOptions {
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
  // One thread: an operator sets one password at a time.
  const passwords = new LazyPasswordHasher({
    observer: unobserved,
    ...settings.passwords.argon2,
    workers: 1,
    logger,
  });
  const policy = new PasswordPolicy({
    ...settings.passwords,
    brandName: settings.brand.name,
    logger: settings.environment === 'development' ? logger : undefined,
  });
  const repositories = createRepositories(database, new AuthEvents(logger));
  const { outbox } = mailElsewhere(settings, repositories);
  const sessionRevoker = buildSessionRevocation(settings, { repositories, store, logger });
  const setter = new PasswordSetter({ ...repositories, outbox, sessionRevoker });
  const invitations = buildInvitations(settings, repositories, outbox);
  const source = openEntitlements(settings.coreService, entitlements, unobserved);
  const access = buildAccess(settings, { repositories, logger, entitlements, observer: unobserved });
  const deps = {
    passwords,
    policy,
    outbox,
    sessionRevoker,
    setter,
    invitations,
    access,
    entitlements: source,
  };
  return {
    ...buildAdmin(settings, repositories, deps),
    passwordObjection: (password, email) => objectionOf(() => policy.check(password, { email })),
    close: async () => {
      await Promise.all([passwords.close(), store.close()]);
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

function objectionOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (AuthError.is(error)) return error.message;
    throw error;
  }
}
