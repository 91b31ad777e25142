import pino, { type Logger as PinoLogger, type LoggerOptions } from 'pino';
import type { Settings } from '@latchkey/core';

/** A last net: nothing below logs these on purpose. */
const REDACTED = [
  'password',
  'newPassword',
  'currentPassword',
  'accessToken',
  'refreshToken',
  'token',
  'clientSecret',
];

/** JSON lines for programs, text for people. */
export type LogFormat = 'json' | 'text';

/**
 * One event a line; unless told otherwise as JSON, and as coloured text on a terminal outside production.
 * @example
 * ```ts
 * const logger = await createLogger(readSettings({ LOG_LEVEL: 'warn' }), 'json');
 * logger.isLevelEnabled('info'); // → false
 * ```
 */
export async function createLogger(
  { environment, log }: Settings,
  format: LogFormat = environment === 'production' || !process.stdout.isTTY ? 'json' : 'text',
): Promise<PinoLogger> {
  const options: LoggerOptions = {
    level: log.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '(hidden)' },
    formatters: { level: (label) => ({ level: label }) },
  };
  if (format === 'json') return pino(options);
  const { default: pretty } = await import('pino-pretty');
  return pino(options, pretty({ sync: true, translateTime: 'SYS:HH:MM:ss', singleLine: true }));
}
