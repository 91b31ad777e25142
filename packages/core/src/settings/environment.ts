import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { SettingFault } from './setting-fault.js';
import type { SettingName } from './setting-definitions.js';
import { settingDefinitions } from './setting-definitions.js';

/** Names and texts as an environment holds them. */
export type SettingSource = Readonly<Record<string, string | undefined>>;

/** Where the text of a setting came from. */
export type SettingOrigin = 'environment' | '.env' | 'file';

/** The text of one setting and where it came from. */
export interface GivenSetting {
  readonly text: string;
  readonly origin: SettingOrigin;
  /** The path that `X_FILE` named. */
  readonly path?: string;
}

/** The settings that were given, and what was wrong with the way they were given. */
export interface LoadedEnvironment {
  readonly given: ReadonlyMap<SettingName, GivenSetting>;
  readonly faults: readonly SettingFault[];
}

interface Layer {
  values: SettingSource;
  origin: SettingOrigin;
}

/**
 * The settings in the process environment and in the `.env` file of the working directory.
 * What the environment says about a setting, as `X` or as `X_FILE`, replaces what the file says about it.
 */
export function loadEnvironment(env: SettingSource = process.env, cwd = process.cwd()): LoadedEnvironment {
  const dotenv = readDotenv(cwd);
  const layers: Layer[] = [
    { values: env, origin: 'environment' },
    { values: dotenv.values, origin: '.env' },
  ];
  const loaded = loadLayers(layers, cwd);
  return { given: loaded.given, faults: [...dotenv.faults, ...loaded.faults] };
}

/** The settings in a record that stands for the environment; no `.env` file is read. */
export function loadSource(source: SettingSource, cwd = process.cwd()): LoadedEnvironment {
  return loadLayers([{ values: source, origin: 'environment' }], cwd);
}

function loadLayers(layers: readonly Layer[], cwd: string): LoadedEnvironment {
  const given = new Map<SettingName, GivenSetting>();
  const faults: SettingFault[] = [];
  for (const { name } of settingDefinitions) {
    const layer = layers.find(
      ({ values }) => (values[name] ?? '') !== '' || (values[`${name}_FILE`] ?? '') !== '',
    );
    if (!layer) continue;
    const found = readOne(name, layer, cwd);
    if ('text' in found) given.set(name, found);
    else faults.push(found);
  }
  return { given, faults };
}

function readOne(name: SettingName, layer: Layer, cwd: string): GivenSetting | SettingFault {
  const text = layer.values[name] ?? '';
  const path = layer.values[`${name}_FILE`] ?? '';
  if (path === '') return { text, origin: layer.origin };
  if (text === '') return readSettingFile(name, path, cwd);
  return {
    name,
    found: `both ${name} and ${name}_FILE`,
    expected: 'one of the two',
    mend: `remove ${name} or ${name}_FILE`,
  };
}

function readSettingFile(name: SettingName, path: string, cwd: string): GivenSetting | SettingFault {
  const fault = (found: string): SettingFault => ({
    name,
    found,
    expected: 'a readable file that holds the value and nothing else',
    mend: `correct the path in ${name}_FILE, or the file and its permissions`,
  });
  try {
    const text = readFileSync(resolve(cwd, path), 'utf8').replace(/\r?\n$/, '');
    return text === ''
      ? fault(`${name}_FILE names ${shownPath(path)}, which is empty`)
      : { text, origin: 'file', path };
  } catch (error) {
    return fault(`${name}_FILE names ${shownPath(path)}, which cannot be read (${codeOf(error)})`);
  }
}

/** A path, unless somebody put the secret itself where its path belongs. */
function shownPath(path: string): string {
  const isPath = path.length <= 256 && /^[\w./\\:~ @%+,()-]+$/.test(path) && !path.includes('://');
  return isPath ? path : 'something that is not a path (hidden)';
}

function readDotenv(cwd: string): { values: SettingSource; faults: SettingFault[] } {
  try {
    const text = readFileSync(resolve(cwd, '.env'), 'utf8').replace(/^\uFEFF/, '');
    return { values: { ...parseEnv(text) }, faults: [] };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { values: {}, faults: [] };
    const found = `a file that cannot be read (${codeOf(error)})`;
    const mend = 'correct its permissions, or remove it';
    return { values: {}, faults: [{ name: '.env', found, expected: 'a readable text file', mend }] };
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown reason';
}
