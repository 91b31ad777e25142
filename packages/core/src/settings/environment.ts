import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { type SettingName, settingDefinitions } from './setting-definitions.js';
import type { SettingFault } from './setting-fault.js';

/** Names and texts, in the form of an environment. */
export type SettingSource = Readonly<Record<string, string | undefined>>;

/** Source of the text of a setting; `command` is the program itself, by an option or its own default. */
export type SettingOrigin = 'command' | 'environment' | '.env' | 'file';

/** The text of a setting and its origin. */
export interface GivenSetting {
  readonly text: string;
  readonly origin: SettingOrigin;
  /** The path in `X_FILE`, or of a file read instead of `.env`. */
  readonly path?: string;
}

/** The given settings, and faults in how they were given. */
export interface LoadedEnvironment {
  readonly given: ReadonlyMap<SettingName, GivenSetting>;
  readonly faults: readonly SettingFault[];
  /** Names with a value that are not settings. */
  readonly others: readonly string[];
}

/** Settings that a program adds to its environment. */
export interface SettingLayers {
  /** Options of the command line. They override the environment. */
  readonly options?: SettingSource | undefined;
  /** Values for settings that neither options, environment nor `.env` file contain. */
  readonly defaults?: SettingSource | undefined;
}

interface Layer {
  values: SettingSource;
  origin: SettingOrigin;
  path?: string;
}

/**
 * Loads the settings of the process environment and of the `.env` file of the working directory. A setting in the
 * environment, as `X` or as `X_FILE`, overrides the file.
 */
export function loadEnvironment(
  env: SettingSource = process.env,
  cwd = process.cwd(),
  { options = {}, defaults = {} }: SettingLayers = {},
): LoadedEnvironment {
  const dotenv = readDotenv(cwd);
  const layers: Layer[] = [
    { values: options, origin: 'command' },
    { values: env, origin: 'environment' },
    { values: dotenv.values, origin: '.env' },
    { values: defaults, origin: 'command' },
  ];
  const loaded = loadLayers(layers, cwd);
  return { ...loaded, faults: [...dotenv.faults, ...loaded.faults] };
}

/** Loads the settings of a record instead of the environment. No `.env` file is read. */
export function loadSource(source: SettingSource, cwd = process.cwd()): LoadedEnvironment {
  return loadLayers([{ values: source, origin: 'environment' }], cwd);
}

/** Loads the settings of a file in `.env` format, and nothing else. */
export function loadEnvFile(path: string, cwd = process.cwd()): LoadedEnvironment {
  try {
    return loadLayers([{ values: parseDotenv(resolve(cwd, path)), origin: '.env', path }], cwd);
  } catch (error) {
    return { given: new Map(), faults: [unreadable(path, error)], others: [] };
  }
}

function loadLayers(layers: readonly Layer[], cwd: string): LoadedEnvironment {
  const given = new Map<SettingName, GivenSetting>();
  const faults: SettingFault[] = [];
  for (const { name, formerName } of settingDefinitions) {
    const found = readGiven(name, layers, cwd);
    const former = formerName === undefined ? undefined : readGiven(formerName, layers, cwd);
    const setting = chosenOf(name, found, former);
    if (!setting) continue;
    if ('text' in setting) given.set(name, setting);
    else faults.push(setting);
  }
  return { given, faults, others: othersIn(layers) };
}

function readGiven(
  name: string,
  layers: readonly Layer[],
  cwd: string,
): GivenSetting | SettingFault | undefined {
  const layer = layers.find(
    ({ values }) => (values[name] ?? '') !== '' || (values[`${name}_FILE`] ?? '') !== '',
  );
  return layer && readOne(name, layer, cwd);
}

/** Returns what a setting was given as, under its name or its former one. Two values that differ are a fault. */
function chosenOf(
  name: SettingName,
  found: GivenSetting | SettingFault | undefined,
  former: GivenSetting | SettingFault | undefined,
): GivenSetting | SettingFault | undefined {
  if (!former) return found;
  if (!('text' in former)) return { ...former, name };
  if (!found) return former;
  if (!('text' in found) || found.text === former.text) return found;
  const { formerName = '' } = settingDefinitions.find((definition) => definition.name === name) ?? {};
  return {
    name,
    found: `another value than ${formerName}, its former name`,
    expected: 'one of the two',
    fix: `remove ${formerName}; put the keys of both into ${name} if secrets were encrypted with either`,
  };
}

const KNOWN = new Set(
  settingDefinitions
    .flatMap(({ name, formerName }) => (formerName === undefined ? [name] : [name, formerName]))
    .flatMap((name) => [name, `${name}_FILE`]),
);

function othersIn(layers: readonly Layer[]): string[] {
  const named = layers.flatMap(({ values }) =>
    Object.keys(values).filter((name) => (values[name] ?? '') !== ''),
  );
  return [...new Set(named)].filter((name) => !KNOWN.has(name));
}

/** Returns the names of a source that were not copied from the environment of the process. */
export const ownNames = (names: readonly string[], source: SettingSource): string[] =>
  names.filter((name) => source[name] !== process.env[name]);

function readOne(name: string, layer: Layer, cwd: string): GivenSetting | SettingFault {
  const text = layer.values[name] ?? '';
  const path = layer.values[`${name}_FILE`] ?? '';
  if (path === '')
    return { text, origin: layer.origin, ...(layer.path !== undefined && { path: layer.path }) };
  if (text === '') return readSettingFile(name, path, cwd);
  return {
    name,
    found: `both ${name} and ${name}_FILE`,
    expected: 'one of the two',
    fix: `remove ${name} or ${name}_FILE`,
  };
}

function readSettingFile(name: string, path: string, cwd: string): GivenSetting | SettingFault {
  const fault = (found: string): SettingFault => ({
    name,
    found,
    expected: 'a readable file that contains only the value',
    fix: `correct the path in ${name}_FILE, or the file and its permissions`,
  });
  try {
    const text = readText(resolve(cwd, path)).replace(/\r?\n$/, '');
    return text === ''
      ? fault(`${name}_FILE names ${shownPath(path)}, which is empty`)
      : { text, origin: 'file', path };
  } catch (error) {
    return fault(`${name}_FILE names ${shownPath(path)}, which cannot be read (${codeOf(error)})`);
  }
}

/** Returns the path, or a placeholder if it may be the secret itself. */
function shownPath(path: string): string {
  const isPath = path.length <= 256 && /^[\w./\\:~ @%+,()-]+$/.test(path) && !path.includes('://');
  return isPath ? path : 'something that is not a path (hidden)';
}

function readDotenv(cwd: string): { values: SettingSource; faults: SettingFault[] } {
  try {
    return { values: parseDotenv(resolve(cwd, '.env')), faults: [] };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { values: {}, faults: [] };
    return { values: {}, faults: [unreadable('.env', error)] };
  }
}

const parseDotenv = (path: string): SettingSource => ({
  ...parseEnv(readText(path)),
});

/** Returns the text of a file without its byte order mark. In another encoding, characters would be lost in silence. */
function readText(path: string): string {
  const bytes = readFileSync(path);
  if (!isUtf8(bytes)) throw Object.assign(new Error('The file is not UTF-8.'), { code: 'not UTF-8' });
  return new TextDecoder().decode(bytes);
}

const unreadable = (name: string, error: unknown): SettingFault => ({
  name,
  found: `a file that cannot be read (${codeOf(error)})`,
  expected: 'a readable text file',
  fix: 'correct its path or its permissions, or remove it',
});

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown reason';
}
