/**
 * The part of pino's interface the core uses, so that a host app can hand in its own logger.
 * @example
 * ```ts
 * const lines: string[] = [];
 * const write = (details: object, message: string): void => void lines.push(`${message} ${JSON.stringify(details)}`);
 * const logger: Logger = { debug: () => undefined, info: write, warn: write, error: write };
 * logger.warn({ attempt: 2 }, 'trying again');
 * lines; // → ['trying again {"attempt":2}']
 * ```
 */
export interface Logger {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/**
 * A logger that drops everything; the default of `createAuth`.
 * @example
 * ```ts
 * const errors: string[] = [];
 * const logger: Logger = { ...silentLogger, error: (_details, message) => void errors.push(message) };
 * logger.error({}, 'mail was given up');
 * errors; // → ['mail was given up']
 * ```
 */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
