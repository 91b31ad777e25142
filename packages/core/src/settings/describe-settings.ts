import type { SettingOrigin, SettingSource } from './environment.js';
import { loadEnvironment, loadSource } from './environment.js';
import { settingsOf } from './read-settings.js';
import type { SettingGroup } from './setting-definition.js';
import type { SettingName } from './setting-definitions.js';
import { settingDefinitions } from './setting-definitions.js';
import type { Settings } from './settings.js';
import { shownText } from './shown-setting.js';

/** What holds for one setting, and why; secrets are hidden. */
export interface SettingDescription {
  readonly name: SettingName;
  readonly group: SettingGroup;
  readonly value: string;
  readonly origin: SettingOrigin | 'default';
}

/**
 * Every setting with its effective value and where that came from, secrets hidden.
 * Throws a `SettingsError` that names every fault at once.
 */
export function describeSettings(source?: SettingSource): SettingDescription[] {
  const loaded = source ? loadSource(source) : loadEnvironment();
  const derived = derivedDefaults(settingsOf(loaded));
  return settingDefinitions.map((definition) => {
    const { name, group } = definition;
    const given = loaded.given.get(name);
    if (given) return { name, group, value: shownText(definition, given.text), origin: given.origin };
    return { name, group, value: derived.get(name) ?? definition.default, origin: 'default' };
  });
}

/** Defaults that follow from other settings, as they came out. */
function derivedDefaults(settings: Settings): Map<SettingName, string> {
  return new Map([
    ['AUTH_BASE_URL', settings.http.baseUrl],
    ['JWT_ISSUER', settings.tokens.issuer],
    ['AUTH_WEB_FORCE_HTTPS', String(settings.http.forceHttps)],
    ['PASSWORD_BLOCKLIST', String(settings.passwords.blocklist)],
  ]);
}
