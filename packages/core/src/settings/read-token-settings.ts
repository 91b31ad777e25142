import type { SettingSource } from './environment.js';
import { readSomeSettings } from './read-some-settings.js';
import { publicAddressOf, tokensOf, type Settings } from './settings.js';

/** The settings for checking tokens, and the folder of the development key. */
export type TokenTools = Pick<Settings, 'environment' | 'dataDir' | 'tokens'>;

/**
 * Reads the settings of keys and tokens alone, for tools that need no database.
 * @throws SettingsError that names every fault of these settings.
 * @example
 * ```ts
 * const { tokens } = readTokenSettings({ JWT_AUDIENCE: 'acme', DATABASE_POOL_MAX: 'wrong, and not asked for' });
 * tokens.audience; // → 'acme'
 * ```
 */
export function readTokenSettings(source?: SettingSource): TokenTools {
  const values = readSomeSettings(
    [
      'APP_ENV',
      'DATA_DIR',
      'PORT',
      'AUTH_BASE_URL',
      'SERVER_URL',
      'JWT_SIGNING_KEY_PEM',
      'JWT_VERIFICATION_KEYS_PEM',
      'JWT_ISSUER',
      'JWT_AUDIENCE',
      'ACCESS_TOKEN_TTL',
    ],
    source,
  );
  return {
    environment: values.APP_ENV,
    dataDir: values.DATA_DIR,
    tokens: tokensOf(values, publicAddressOf(values)),
  };
}
