import { readSettings, SettingsError, type SettingFault, type Settings } from '@latchkey/core';
import { nearNames } from '@latchkey/core/internal/kernel/near-names';
import { settingDefinitions } from '@latchkey/core/internal/settings/setting-definitions';

/** Settings by their names in an environment. */
export type KitSettings = Readonly<Record<string, string | undefined>>;

/** The machine key of every kit, unless its settings contain another one. */
const KIT_INTERNAL_KEY = 'internal-key-of-the-test-kit';

/** Settings that the kit supplies itself, and how to change them. */
const SUPPLIED: Readonly<Record<string, string>> = {
  DATABASE_URL: 'give the server as databaseUrl; the kit makes a database of its own there',
  APP_ENV: 'leave it out; a kit is for tests',
};

/**
 * Returns the settings of a kit: defaults for tests, then those of the caller. Passwords are hashed at the
 * lowest cost that the service allows. @throws SettingsError that names every fault, including unknown names.
 */
export function kitSettings(
  own: { DATABASE_URL: string; JWT_SIGNING_KEY_PEM?: string; ENCRYPTION_KEYS?: string },
  wanted: KitSettings,
): Settings {
  assertNames(wanted);
  const { ENCRYPTION_KEYS, ...others } = own;
  const hasFormerName = Object.keys(wanted).some((name) => name.startsWith('FACTOR_ENCRYPTION_KEYS'));
  return readSettings({
    APP_ENV: 'test',
    ...others,
    ...(!hasFormerName && { ENCRYPTION_KEYS }),
    AUTH_INTERNAL_API_KEY: KIT_INTERNAL_KEY,
    PUBLIC_REGISTRATION_ENABLED: 'true',
    // A test signs in more often from one address than users do.
    LOGIN_RATE_LIMIT: '100000',
    DATABASE_POOL_MAX: '5',
    ARGON2_MEMORY_KIB: '19456',
    ARGON2_ITERATIONS: '2',
    ARGON2_PARALLELISM: '1',
    ...wanted,
  });
}

/**
 * Rejects unknown names. The environment of a machine holds names of other programs, too; settings of a kit
 * do not.
 */
function assertNames(wanted: KitSettings): void {
  const faults = Object.keys(wanted).flatMap(faultOf);
  if (faults.length > 0) throw new SettingsError(faults);
}

const NAMES: readonly string[] = settingDefinitions.flatMap(({ name, formerName }) =>
  formerName === undefined ? [name] : [name, formerName],
);

function faultOf(name: string): SettingFault[] {
  const supplied = SUPPLIED[name.replace(/_FILE$/, '')];
  if (supplied !== undefined) {
    return [{ name, found: 'a setting that the kit supplies', expected: 'another way', fix: supplied }];
  }
  if (NAMES.includes(name.replace(/_FILE$/, ''))) return [];
  const [near] = nearNames(name, NAMES);
  const fix = near === undefined ? 'docs/configuration.md lists all of them' : `did you mean ${near}?`;
  const expected = 'a name as in an environment, such as ACCESS_TOKEN_TTL';
  return [{ name, found: 'an unknown setting name', expected, fix }];
}
