import type { Settings } from '@latchkey/core';
import type { CommonOptions } from './call.js';

/** Levels that log less than `warn`. */
const QUIETER: readonly Settings['log']['level'][] = ['error', 'fatal', 'silent'];

/** Returns settings with the log level of `--verbose` or `--quiet`. */
export function withLogLevel(settings: Settings, { quiet, verbose }: CommonOptions): Settings {
  const { level } = settings.log;
  if (verbose === true) return { ...settings, log: { level: level === 'trace' ? level : 'debug' } };
  if (quiet === true && !QUIETER.includes(level)) return { ...settings, log: { level: 'warn' } };
  return settings;
}
