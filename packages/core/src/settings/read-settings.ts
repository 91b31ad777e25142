import {
  type LoadedEnvironment,
  type SettingSource,
  loadEnvironment,
  loadSource,
  ownNames,
} from './environment.js';
import { type SettingsPurpose, faultsBetweenSettings } from './setting-checks.js';
import { type SettingName, type SettingValues, settingDefinitions } from './setting-definitions.js';
import { type SettingFault, SettingsError } from './setting-fault.js';
import { settingParts, type Settings } from './settings.js';
import { shownFault } from './shown-setting.js';
import { misspeltSettings } from './unknown-settings.js';

/**
 * Reads and validates the settings of `source`, or of the environment and the `.env` file of the working directory.
 * In production the purpose `administration` requires only a database, and `verification` also the public keys.
 * Throws a `SettingsError` that names every fault. In a `source`, a misspelled setting name is a fault unless the
 * environment contains it too.
 * @example
 * ```ts
 * const { tokens } = readSettings({ APP_ENV: 'test', ACCESS_TOKEN_TTL: '5m' });
 * tokens.accessTokenTtl; // → 300
 * readSettings({ ACCESS_TOKEN_TTL: 'soon' }); // →! /ACCESS_TOKEN_TTL/
 * ```
 */
export function readSettings(source?: SettingSource, purpose: SettingsPurpose = 'service'): Settings {
  if (!source) return settingsOf(loadEnvironment(), purpose);
  const loaded = loadSource(source);
  // An environment contains names of other programs; a record is written for this one.
  const misspelt = misspeltSettings(ownNames(loaded.others, source));
  return settingsOf({ ...loaded, faults: [...misspelt, ...loaded.faults] }, purpose);
}

/** Returns the validated settings of a loaded environment. Throws a `SettingsError` that names every fault. */
function settingsOf(loaded: LoadedEnvironment, purpose: SettingsPurpose = 'service'): Settings {
  const { settings, faults } = checkSettings(loaded, purpose);
  if (!settings) throw new SettingsError(faults);
  return settings;
}

/** Result of checking a loaded environment. */
interface CheckedEnvironment {
  readonly values: Partial<SettingValues>;
  readonly faults: readonly SettingFault[];
  /** Undefined if there are faults. */
  readonly settings: Settings | undefined;
}

/** Checks a loaded environment without throwing. */
export function checkSettings(environment: LoadedEnvironment, purpose: SettingsPurpose): CheckedEnvironment {
  const loaded = withoutUnneeded(environment, purpose);
  const { values, faults } = parseEach(loaded);
  const named = new Set<string>([...loaded.faults, ...faults].map((fault) => fault.name));
  const isGiven = (name: SettingName) => loaded.given.has(name) || named.has(name);
  const all = [...loaded.faults, ...faults, ...faultsBetweenSettings({ values, isGiven, purpose })];
  return { values, faults: all, settings: isComplete(values, all) ? assembleSettings(values) : undefined };
}

/** Ignored settings per purpose: a program that signs nothing also works for users who may not read the keys. */
const UNNEEDED: Record<SettingsPurpose, readonly SettingName[]> = {
  service: [],
  administration: ['JWT_SIGNING_KEY_PEM', 'JWT_VERIFICATION_KEYS_PEM', 'ENCRYPTION_KEYS'],
  verification: ['JWT_SIGNING_KEY_PEM', 'ENCRYPTION_KEYS'],
};

function withoutUnneeded(loaded: LoadedEnvironment, purpose: SettingsPurpose): LoadedEnvironment {
  const unneeded: readonly string[] = UNNEEDED[purpose];
  return {
    ...loaded,
    given: new Map([...loaded.given].filter(([name]) => !unneeded.includes(name))),
    faults: loaded.faults.filter(({ name }) => !unneeded.includes(name)),
  };
}

function parseEach({ given }: LoadedEnvironment): { values: Partial<SettingValues>; faults: SettingFault[] } {
  const values: Partial<Record<SettingName, unknown>> = {};
  const faults: SettingFault[] = [];
  for (const definition of settingDefinitions) {
    const { name, expected, fix } = definition;
    const setting = given.get(name);
    const parsed = definition.parse(setting?.text);
    if (parsed.ok) values[name] = parsed.value;
    else if (setting)
      faults.push({ name, found: shownFault(definition, setting, parsed.problem), expected, fix });
  }
  // Each value was made by the definition that its type is taken from.
  return { values: values as Partial<SettingValues>, faults };
}

/** Groups valid settings. */
function assembleSettings(values: SettingValues): Settings {
  const made = Object.entries(settingParts).map(([part, make]) => [part, make(values)] as const);
  // Each part was made by the function under its name.
  return Object.fromEntries(made) as unknown as Settings;
}

/** Without faults every definition has a value. */
function isComplete(
  values: Partial<SettingValues>,
  faults: readonly SettingFault[],
): values is SettingValues {
  return faults.length === 0 && settingDefinitions.every(({ name }) => name in values);
}
