import { readFileSync } from 'node:fs';
import { factorKeyFile } from './development-key.js';
import type { SettingSource } from './environment.js';
import { readSomeSettings } from './read-some-settings.js';
import { Secret } from './secret.js';

/**
 * Reads the keys of `ENCRYPTION_KEYS` alone; outside production, without the setting, the key that the service
 * generated. Returns undefined if there is none.
 * @throws SettingsError that names every fault of these settings.
 * @example
 * ```ts
 * const keys = readFactorKeys({ ENCRYPTION_KEYS: generateEncryptionKey() });
 * keys?.reveal().length; // → 1
 * ```
 */
export function readFactorKeys(source?: SettingSource): Secret<Buffer[]> | undefined {
  const names = ['APP_ENV', 'DATA_DIR', 'ENCRYPTION_KEYS'] as const;
  const { APP_ENV, DATA_DIR, ENCRYPTION_KEYS } = readSomeSettings(names, source);
  if (ENCRYPTION_KEYS !== undefined || APP_ENV === 'production') return ENCRYPTION_KEYS;
  try {
    return new Secret([Buffer.from(readFileSync(factorKeyFile(DATA_DIR), 'utf8'), 'base64')]);
  } catch {
    return undefined;
  }
}
