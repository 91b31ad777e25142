import { hostname } from 'node:os';
import pino, { type Logger as PinoLogger, type LoggerOptions } from 'pino';
import { openTracer, type Settings } from '@latchkey/core';
import type { StartupFacts } from './startup-facts.js';
import { startupSummary } from './startup-summary.js';
import { version } from './version.js';

/** A last safeguard: no log call passes these on purpose. */
const REDACTED = [
  'password',
  'newPassword',
  'currentPassword',
  'accessToken',
  'refreshToken',
  'token',
  'clientSecret',
] as const;

/** Names whose values are hidden in log lines. */
export type HiddenName = (typeof REDACTED)[number];

/** JSON lines for programs, text for people. */
type LogFormat = 'json' | 'text';

/**
 * Returns a logger that writes one event a line; as JSON with the service, its version and its instance by
 * default, and as coloured text on a terminal outside production.
 * @example
 * ```ts
 * const logger = await createLogger(readSettings({ LOG_LEVEL: 'warn' }), 'json');
 * logger.isLevelEnabled('info'); // → false
 * ```
 */
export async function createLogger(
  { environment, log, tracing }: Settings,
  format: LogFormat = environment === 'production' || !process.stdout.isTTY ? 'json' : 'text',
): Promise<PinoLogger> {
  const tracer = await openTracer({ tracing });
  const options: LoggerOptions = {
    level: log.level,
    base: format === 'json' ? { service: 'latchkey', version, instance: instanceOf() } : null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '(hidden)' },
    hooks: { streamWrite: withoutApiKeys },
    ...(tracer && { mixin: () => tracer.logFields() }),
    formatters: { level: (label) => ({ level: label }) },
  };
  if (format === 'json') return pino(options);
  const { default: pretty } = await import('pino-pretty');
  return pino(
    options,
    pretty({
      sync: true,
      translateTime: 'SYS:HH:MM:ss',
      singleLine: true,
      // Fields that the message contains already.
      ignore: 'startup,migrations,method,path,route,status',
      messageFormat: (line, messageKey) => textOf(line, messageKey),
    }),
  );
}

/** Hides API keys, whole or in part, wherever a line has one: programs send them to all kinds of places. */
const withoutApiKeys = (line: string): string =>
  line.includes('lkk_') ? line.replaceAll(/lkk_[0-9A-Za-z]{8,}/g, 'lkk_(hidden)') : line;

/**
 * Returns the instance, which identifies a replica and one run of it; in a container the host name is that of
 * the container.
 */
const instanceOf = (): string => `${hostname()}:${process.pid}`;

/** Returns the message; the start is one line with fields for programs, and a table for people. */
function textOf(line: Record<string, unknown>, messageKey: string): string {
  if (line.startup) return startupSummary(line.startup as StartupFacts);
  return typeof line[messageKey] === 'string' ? line[messageKey] : '';
}
