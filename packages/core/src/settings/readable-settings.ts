import { type SettingValues, settingDefinitions } from './setting-definitions.js';
import type { SettingFault } from './setting-fault.js';
import { settingParts, type Settings } from './settings.js';

/** Thrown when a part is read that depends on a missing or wrong setting. */
class FaultySettingError extends Error {
  override readonly name = 'FaultySettingError';
}

/** Returns true for a `FaultySettingError`. Compares the name: the caller may have another copy of this module. */
export const isFaultySetting = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'FaultySettingError';

/**
 * Returns the settings despite faults: parts made of valid settings can be read, and reading another part throws a
 * `FaultySettingError` that names the fault.
 */
export function readableSettings(values: Partial<SettingValues>, faults: readonly SettingFault[]): Settings {
  const faulty = new Set(faults.map(({ name }) => name));
  const known = new Set<string>(settingDefinitions.map(({ name }) => name));
  // An unreadable file may contain any setting.
  const file = [...faulty].find((name) => !known.has(name));
  const good = new Proxy(values, {
    get(target, name) {
      if (file !== undefined) throw new FaultySettingError(`${file} cannot be read`);
      if (faulty.has(String(name))) throw new FaultySettingError(`${String(name)} is missing or wrong`);
      return Reflect.get(target, name) as unknown;
    },
  });
  const settings = {};
  for (const [part, make] of Object.entries(settingParts)) {
    // Every definition has a value here, or its name is among the faults.
    Object.defineProperty(settings, part, { enumerable: true, get: () => make(good as SettingValues) });
  }
  return settings as Settings;
}
