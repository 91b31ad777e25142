import { systemClock } from '../kernel/clock.js';
import { silentLogger, type Logger } from '../kernel/logger.js';
import { unobserved } from '../kernel/observer.js';
import type { Settings } from '../settings/settings.js';
import type { Migrator } from '../storage/migrator.js';
import { openTracer } from '../tracing/open-tracer.js';
import type { Auth } from './auth.js';
import {
  assertCreateAuthOptions,
  assertMailSender,
  assertSettings,
  assertVerifyOnlyOptions,
} from './check-wiring.js';
import type { CreateAuthOptions } from './create-auth-options.js';
import { assertExtensions } from './extensions.js';
import { createMigrator, openDatabase } from './open-database.js';
import { openGeoip } from './open-geoip.js';
import type { VerifyingAuth, VerifyOnlyOptions } from './verifying-auth.js';

/**
 * Creates the service: applies migrations, connects and builds every part.
 * @throws TypeError when settings lack a database URL or a signing key (the standalone server supplies both in
 * development), for unknown options, and for invalid `claims` or `before`; AuthError `service_unavailable` when
 * PostgreSQL is unavailable, MigrationError, SettingsError for a list of breached passwords or a GeoIP database that cannot be used.
 * @example
 * ```ts
 * const settings = readSettings({ DATABASE_URL: kit.databaseUrl, JWT_SIGNING_KEY_PEM: await generateSigningKey() });
 * const service = await createAuth(settings, { claims: ({ globalRole }) => ({ isStaff: globalRole !== 'NONE' }) });
 * (await service.health.ready()).checks.database; // → 'ok'
 * await service.close();
 * ```
 */
export async function createAuth(settings: Settings, options?: CreateAuthOptions): Promise<Auth>;
/**
 * Creates the services for guards alone, from the public keys in `JWT_VERIFICATION_KEYS_PEM` and a database role that
 * may only read: `readSettings(process.env, 'verification')` requires no other settings.
 * @throws TypeError without those keys and for other options, MigrationError, AuthError `service_unavailable`.
 */
export async function createAuth(settings: Settings, options: VerifyOnlyOptions): Promise<VerifyingAuth>;
export async function createAuth(
  settings: Settings,
  options: CreateAuthOptions | VerifyOnlyOptions = {},
): Promise<Auth | VerifyingAuth> {
  assertSettings('createAuth', settings);
  if (isVerifyOnly(options)) return createVerifyingAuth(settings, options);
  assertCreateAuthOptions(options);
  assertExtensions(options);
  assertMailSender(settings, options);
  // Loaded here, so that programs which never run a service do not load its libraries.
  const { openAuth } = await import('./open-auth.js');
  const logger = options.logger ?? silentLogger;
  await assertBreachListUsable(settings);
  const geoip = await openGeoip(settings);
  const tracer = await openTracer(settings);
  const database = openDatabase(settings, logger, tracer);
  try {
    const newerMigrations = await bringUpToDate(createMigrator(settings, database, logger), options);
    reportNewer(newerMigrations, logger);
    return await openAuth(settings, database, {
      ...options,
      logger,
      clock: systemClock,
      tracer,
      geoip,
      newerMigrations,
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Applies or checks the migrations. Returns those that are newer than this program, which it can run on. */
async function bringUpToDate(migrator: Migrator, { migrate = true }: CreateAuthOptions): Promise<string[]> {
  return migrate ? (await migrator.up()).newer : migrator.assertCurrent();
}

function reportNewer(migrations: readonly string[], logger: Logger): void {
  if (migrations.length === 0) return;
  logger.warn(
    { migrations },
    'The database schema is newer than this program, which can run on it. Return to the newer version when you can.',
  );
}

/** Checks the list before the schema is changed, like every other setting. */
async function assertBreachListUsable({ passwords }: Settings): Promise<void> {
  if (passwords.breachList === undefined) return;
  const { openBreachList } = await import('./open-breach-list.js');
  const list = await openBreachList(passwords.breachList, { logger: silentLogger, observer: unobserved });
  await list.close();
}

const isVerifyOnly = (options: unknown): options is VerifyOnlyOptions =>
  typeof options === 'object' && options !== null && Reflect.get(options, 'verifyOnly') === true;

async function createVerifyingAuth(settings: Settings, options: VerifyOnlyOptions): Promise<VerifyingAuth> {
  assertVerifyOnlyOptions(options);
  const { openVerifyingAuth } = await import('./open-verifying-auth.js');
  const logger = options.logger ?? silentLogger;
  const database = openDatabase(settings, logger);
  try {
    reportNewer(await createMigrator(settings, database, logger).assertCurrent(), logger);
    return await openVerifyingAuth(settings, database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}
