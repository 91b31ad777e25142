import { silentLogger, type CreateAuthOptions } from '@latchkey/core';
import { CREATE_AUTH_OPTIONS } from '@latchkey/core/internal/compose/check-wiring';
import { assertExtensions } from '@latchkey/core/internal/compose/extensions';
import { openAuth } from '@latchkey/core/internal/compose/open-auth';
import { openDatabase } from '@latchkey/core/internal/compose/open-database';
import { anything, someText } from '@latchkey/core/internal/settings/option-rules';
import { generateEncryptionKey } from '@latchkey/core/keys';
import { assertOptions, type OptionRule } from '@latchkey/core/settings';
import { kitKey } from './kit-key.js';
import { kitSettings, type KitSettings } from './kit-settings.js';
import { TestAuth } from './test-auth.js';
import { TestClock } from './test-clock.js';
import { TestCompanies } from './test-companies.js';
import { openKitDatabase, type KitDatabase } from './test-database.js';

/** The options of `createAuth`: hooks, claims, a logger, and entitlements of companies that the kit does not know. */
export interface TestAuthOptions extends Omit<CreateAuthOptions, 'migrate' | 'sendMail'> {
  /** A PostgreSQL whose account may create databases. Defaults to one that is started for this process. */
  databaseUrl?: string | undefined;
  /** The schema of Latchkey's tables, first on the search path of every connection. Defaults to `public`. */
  schema?: string | undefined;
  /** Settings by their names in an environment, such as `{ ACCESS_TOKEN_TTL: '60' }`, in place of the kit's. */
  settings?: KitSettings | undefined;
}

const { migrate: _migrate, sendMail: _sendMail, ...AUTH_OPTIONS } = CREATE_AUTH_OPTIONS;
const KIT_OPTIONS = {
  ...AUTH_OPTIONS,
  databaseUrl: someText,
  schema: someText,
  settings: anything,
} satisfies Record<keyof TestAuthOptions, OptionRule>;

/**
 * Creates a real `Auth` for tests, on a database of its own that is created in a moment and dropped by
 * `close`: in-process store, mail kept in memory, registration on, the lowest cost of passwords that the
 * service allows.
 * @throws SettingsError for settings that are invalid or do not exist, TypeError for invalid hooks or claims,
 * Error that says what to do if there is no database.
 * @example
 * ```ts
 * const own = await createTestAuth({ settings: { ACCESS_TOKEN_TTL: '60' } });
 * own.auth.settings.tokens.accessTokenTtl; // → 60
 * await own.close();
 * ```
 */
export async function createTestAuth(options: TestAuthOptions = {}): Promise<TestAuth> {
  assertOptions({ name: 'createTestAuth' }, options, KIT_OPTIONS);
  const { databaseUrl, settings = {} } = options;
  assertExtensions(options);
  // Checked before anything is started, so that faults are reported at once.
  kitSettings({ DATABASE_URL: 'postgres://127.0.0.1/kit' }, settings);
  const [database, key] = await Promise.all([
    openKitDatabase(databaseUrl, { migrationsPath: settings.MIGRATIONS_PATH, schema: options.schema }),
    kitKey(),
  ]);
  try {
    return await openKit(database, key, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function finishThen(work: () => Promise<void>, database: KitDatabase): Promise<void> {
  try {
    await work();
  } finally {
    await database.close();
  }
}

async function openKit(database: KitDatabase, key: string, options: TestAuthOptions): Promise<TestAuth> {
  const {
    settings: wanted = {},
    logger = silentLogger,
    entitlements,
    databaseUrl: _url,
    schema: _schema,
    ...others
  } = options;
  const own = {
    DATABASE_URL: database.url,
    JWT_SIGNING_KEY_PEM: key,
    ENCRYPTION_KEYS: generateEncryptionKey(),
  };
  const settings = kitSettings(own, wanted);
  const companies = new TestCompanies();
  const clock = new TestClock(database.clock);
  const auth = await openAuth(settings, openDatabase(settings, logger), {
    ...others,
    logger,
    clock: clock.asClock(),
    // A configured core service knows its companies itself.
    ...(settings.coreService.baseUrl === undefined && {
      entitlements: (id) => companies.entitlements(id) ?? entitlements?.(id),
    }),
  });
  return new TestAuth({
    auth,
    clock,
    companies,
    databaseUrl: database.url,
    internalKey: settings.machine.internalApiKeys?.reveal()[0] ?? '',
    close: async (work) => {
      try {
        await auth.close();
      } finally {
        await finishThen(work, database);
      }
    },
  });
}
