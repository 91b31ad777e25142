import { loadEnvironment, loadSource, type GivenSetting, type SettingSource } from './environment.js';
import { definitionOf, type SettingName, type SettingValues } from './setting-definitions.js';
import { SettingsError, type SettingFault } from './setting-fault.js';
import { shownFault } from './shown-setting.js';

/**
 * Reads these settings alone, for tools that work while others are missing or faulty.
 * @throws SettingsError that names every fault of these settings.
 * @example
 * ```ts
 * const { DATA_DIR } = readSomeSettings(['DATA_DIR'], { DATA_DIR: '/srv/latchkey', LOG_LEVEL: 'loud' });
 * DATA_DIR; // → '/srv/latchkey'
 * ```
 */
export function readSomeSettings<Name extends SettingName>(
  names: readonly Name[],
  source?: SettingSource,
): Pick<SettingValues, Name> {
  const { given, faults } = loadSome(names, source);
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const name of names) {
    const result = parseOne(name, given.get(name));
    if ('fault' in result) faults.push(result.fault);
    else values[name] = result.value;
  }
  if (faults.length > 0) throw new SettingsError(faults);
  // Each value was made by the definition that its type is taken from.
  return values as Pick<SettingValues, Name>;
}

/**
 * Returns the texts of these settings as given, unchecked, for diagnosis.
 * @throws SettingsError if the file of one of them cannot be read.
 * @example
 * ```ts
 * const given = readGivenSettings(['PORT'], { PORT: 'not a port' });
 * given.get('PORT')?.text; // → 'not a port'
 * ```
 */
export function readGivenSettings(
  names: readonly SettingName[],
  source?: SettingSource,
): ReadonlyMap<SettingName, GivenSetting> {
  const { given, faults } = loadSome(names, source);
  if (faults.length > 0) throw new SettingsError(faults);
  return new Map([...given].filter(([name]) => names.includes(name)));
}

function loadSome(names: readonly SettingName[], source: SettingSource | undefined) {
  const loaded = source ? loadSource(source) : loadEnvironment();
  const concerns = new Set<string>(['.env', ...names]);
  return { given: loaded.given, faults: loaded.faults.filter(({ name }) => concerns.has(name)) };
}

function parseOne(
  name: SettingName,
  given: GivenSetting | undefined,
): { value: unknown } | { fault: SettingFault } {
  const definition = definitionOf(name);
  const parsed = definition.parse(given?.text);
  if (parsed.ok) return { value: parsed.value };
  const { expected, fix } = definition;
  const found = given ? shownFault(definition, given, parsed.problem) : 'nothing';
  return { fault: { name, found, expected, fix } };
}
