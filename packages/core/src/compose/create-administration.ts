import { AuthEvents } from '../audit/auth-events.js';
import { AuthError } from '../kernel/auth-error.js';
import { systemClock } from '../kernel/clock.js';
import { type Logger, silentLogger } from '../kernel/logger.js';
import { unobserved } from '../kernel/observer.js';
import { OutboxRepository } from '../mail/outbox-repository.js';
import { Outbox, WORKER_ELSEWHERE } from '../mail/outbox.js';
import { LazyPasswordHasher } from '../passwords/lazy-password-hasher.js';
import { PasswordPolicy } from '../passwords/password-policy.js';
import type { Settings } from '../settings/settings.js';
import type { Database } from '../storage/database.js';
import { openEphemeralStore } from '../storage/open-ephemeral-store.js';
import type { Administration } from './administration.js';
import type { AccessOptions } from './build-access.js';
import { buildAdministration } from './build-administration.js';
import { buildCompanyAdministration } from './build-company-administration.js';
import { buildInvitations } from './build-invitations.js';
import { buildOperations } from './build-operations.js';
import { buildPasswordSetter } from './build-password-setter.js';
import { buildRecords } from './build-records.js';
import { assertSettings } from './check-wiring.js';
import { mailTransportOf } from './mail-transport.js';
import { createMigrator, openDatabase } from './open-database.js';

export interface CreateAdministrationOptions extends AccessOptions {
  logger?: Logger;
}

/**
 * Builds what operators need and nothing else. Never migrates.
 * @throws TypeError without a database URL, PendingMigrationsError when the schema is behind, MigrationError when it
 * does not fit otherwise, AuthError `service_unavailable` when PostgreSQL is away.
 * @example
 * ```ts
 * const settings = readSettings({ DATABASE_URL: kit.databaseUrl }, 'administration');
 * const administration = await createAdministration(settings);
 * (await administration.mailAdministration.failed()).count; // → 0
 * await administration.close();
 * ```
 */
export async function createAdministration(
  settings: Settings,
  { logger = silentLogger, entitlements }: CreateAdministrationOptions = {},
): Promise<Administration> {
  assertSettings('createAdministration', settings);
  const database = openDatabase(settings, logger);
  try {
    await createMigrator(settings, database, logger).assertCurrent();
  } catch (error) {
    await database.close();
    throw error;
  }
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
  const outbox = outboxOfService(settings, database);
  const records = buildRecords(settings, { database, store, logger, events: new AuthEvents(logger) });
  const setter = buildPasswordSetter(records, outbox);
  const parts = buildInvitations(settings, records, outbox);
  const { openInvitations } = parts;
  return {
    ...buildAdministration(records, { passwords, policy, outbox, setter, openInvitations }),
    ...buildOperations(settings, records, outbox),
    ...buildCompanyAdministration(settings, { records, outbox, logger, entitlements, parts }),
    passwordObjection: (password, email) => objectionOf(() => policy.check(password, { email })),
    close: async () => {
      await Promise.all([passwords.close(), store.close()]);
      await database.close();
    },
  };
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

/** Where the service delivers mail, what is queued here leaves with it. */
function outboxOfService(settings: Settings, database: Database): Outbox {
  const isDelivered = mailTransportOf(settings) !== 'off';
  return new Outbox(new OutboxRepository(database), isDelivered ? WORKER_ELSEWHERE : undefined);
}
