import { isDeepStrictEqual } from 'node:util';
import {
  type GivenSetting,
  type LoadedEnvironment,
  type SettingLayers,
  type SettingOrigin,
  type SettingSource,
  loadEnvFile,
  loadEnvironment,
  loadSource,
} from './environment.js';
import { idleSettings } from './idle-settings.js';
import { checkSettings } from './read-settings.js';
import { readableSettings } from './readable-settings.js';
import type { SettingsPurpose } from './setting-checks.js';
import type { SettingDefinition, SettingGroup } from './setting-definition.js';
import { type SettingName, settingDefinitions } from './setting-definitions.js';
import type { SettingFault } from './setting-fault.js';
import type { SettingWarning } from './setting-warning.js';
import type { Settings } from './settings.js';
import { shownText } from './shown-setting.js';
import { unknownSettings } from './unknown-settings.js';

/** Source to inspect. Defaults to the environment and the `.env` file of the working directory. */
interface InspectionRequest extends SettingLayers {
  /** A record that replaces the environment. */
  source?: SettingSource | undefined;
  /** A file in `.env` format that replaces both. */
  envFile?: string | undefined;
  purpose?: SettingsPurpose | undefined;
}

/** The effective value of a setting and its origin. */
export interface InspectedSetting {
  readonly name: SettingName;
  readonly group: SettingGroup;
  /** The value as it may be shown; for secrets, that they are set. Null if there is no value. */
  readonly value: string | null;
  /** Description of the default. */
  readonly whenUnset: string;
  /** `derived` is a default that depends on other settings. */
  readonly origin: SettingOrigin | 'default' | 'derived';
  /** Path of the file it was read from. */
  readonly path: string | undefined;
  readonly secret: boolean;
  /** True if the effective value equals the default. */
  readonly isDefault: boolean;
}

/** All settings with their faults and warnings. */
export interface SettingsInspection {
  /** Every setting, in the order of the documents. */
  readonly entries: readonly InspectedSetting[];
  readonly faults: readonly SettingFault[];
  readonly warnings: readonly SettingWarning[];
  /** Undefined if there are faults. */
  readonly settings: Settings | undefined;
  /** The settings despite faults: reading a part that a fault concerns throws. */
  readonly readable: Settings;
}

/**
 * Inspects the settings, valid or not: values without secrets, origins, faults, warnings.
 * @example
 * ```ts
 * const { faults, settings } = inspectSettings({ source: { PORT: 'http' } });
 * faults.map(({ name }) => name); // → ['PORT']
 * settings; // → undefined
 * ```
 */
export function inspectSettings(request: InspectionRequest = {}): SettingsInspection {
  const loaded = load(request);
  const { values, faults, settings } = checkSettings(loaded, request.purpose ?? 'service');
  const isGiven = (name: SettingName) => loaded.given.has(name);
  const derived = settings ? derivedDefaults(settings) : new Map<SettingName, string>();
  return {
    entries: settingDefinitions.map((each) =>
      inspected(each, loaded.given.get(each.name), derived.get(each.name)),
    ),
    faults,
    warnings: [...unknownSettings(loaded.others), ...(settings ? idleSettings(values, isGiven) : [])],
    settings,
    readable: settings ?? readableSettings(values, faults),
  };
}

function load({ source, envFile, ...layers }: InspectionRequest): LoadedEnvironment {
  if (envFile !== undefined) return loadEnvFile(envFile);
  return source ? loadSource(source) : loadEnvironment(undefined, undefined, layers);
}

function inspected(
  definition: SettingDefinition<SettingName>,
  given: GivenSetting | undefined,
  derived: string | undefined,
): InspectedSetting {
  const { name, group, secret, default: whenUnset } = definition;
  const common = { name, group, whenUnset, secret, path: given?.path };
  if (given) {
    const value = shownText(definition, given.text);
    return { ...common, value, origin: given.origin, isDefault: saysTheDefault(definition, given.text) };
  }
  if (derived !== undefined) return { ...common, value: derived, origin: 'derived', isDefault: true };
  const value = definition.hasDefaultValue ? whenUnset : null;
  return { ...common, value, origin: 'default', isDefault: true };
}

function saysTheDefault({ hasDefaultValue, parse }: SettingDefinition, text: string): boolean {
  return hasDefaultValue && isDeepStrictEqual(parse(text), parse(undefined));
}

/** Returns the defaults that depend on other settings. */
function derivedDefaults(settings: Settings): Map<SettingName, string> {
  return new Map([
    ['AUTH_BASE_URL', settings.http.baseUrl],
    ['JWT_ISSUER', settings.tokens.issuer],
    ['AUTH_WEB_FORCE_HTTPS', String(settings.http.forceHttps)],
    ['PASSWORD_BLOCKLIST', String(settings.passwords.blocklist)],
  ]);
}
