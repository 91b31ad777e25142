import type { Settings } from '@latchkey/core';
import type { CommonOptions } from './call.js';

/** Levels that say less than `warn`. */
const QUIETER: readonly Settings['log']['level'][] = ['error', 'fatal', 'silent'];

/** The settings of a service that is to say more (`--verbose`) or less (`--quiet`) than they ask for. */
export function withLogLevel(settings: Settings, { quiet, verbose }: CommonOptions): Settings {
  const { level } = settings.log;
  if (verbose === true) return { ...settings, log: { level: level === 'trace' ? level : 'debug' } };
  if (quiet === true && !QUIETER.includes(level)) return { ...settings, log: { level: 'warn' } };
  return settings;
}
