import { expect, it } from 'vitest';
import { readSettings } from '@latchkey/core';
import { withLogLevel } from './log-level.js';

it.each([
  ['info', {}, 'info'],
  ['info', { verbose: true }, 'debug'],
  ['trace', { verbose: true }, 'trace'],
  ['info', { quiet: true }, 'warn'],
  ['error', { quiet: true }, 'error'],
  ['silent', { quiet: true }, 'silent'],
])('LOG_LEVEL=%s with %j logs from %s on', (LOG_LEVEL, options, level) => {
  const settings = readSettings({ LOG_LEVEL });
  expect(withLogLevel(settings, options)).toEqual({ ...settings, log: { level } });
});
