import { inspectSettings } from '../../../packages/core/src/settings/inspect-settings.js';
import { settingDefinitions } from '../../../packages/core/src/settings/setting-definitions.js';

/** Variables that Node and the shell read, and Latchkey does not. */
const NOT_OURS = new Set(['NODE_ENV', 'PATH']);

/** Returns the faults of the variables that the service is given: names that are no settings, values that none accepts. */
export function faultsOfSettings(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    NOT_OURS.has(name) ? [] : faultsOfSetting(name, value),
  );
}

function faultsOfSetting(name: string, value: string): string[] {
  const ofFile = settingDefinitions.some((setting) => `${setting.name}_FILE` === name);
  if (ofFile) return value.startsWith('/') ? [] : [`${name} is no absolute path: ${value}`];
  const definition = settingDefinitions.find((setting) => setting.name === name);
  if (!definition) return [`${name} is no setting`];
  if (definition.secret && value.includes('@')) return [`${name} holds a password; use ${name}_FILE`];
  if (value === '' || definition.parse(value).ok) return [];
  return [`${name} cannot be ${value}; expected: ${definition.expected}`];
}

/** Returns what is missing or does not fit together in the settings of a whole service. What files hold is not judged. */
export function faultsOfAllSettings(variables: Readonly<Record<string, string>>): string[] {
  const fromFiles = Object.keys(variables).flatMap((name) => /^(.+)_FILE$/.exec(name)?.[1] ?? []);
  const given = Object.entries(variables).filter(([name]) => !name.endsWith('_FILE'));
  return inspectSettings({ source: { APP_ENV: 'production', ...Object.fromEntries(given) } })
    .faults.filter(({ name }) => !fromFiles.includes(name))
    .map(({ name, found, expected }) => `${name} is ${found}; expected: ${expected}`);
}

/** The value that holds when nothing is given, as text. */
export const defaultOf = (name: string): string =>
  settingDefinitions.find((setting) => setting.name === name)?.default ?? '';
