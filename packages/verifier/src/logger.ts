/**
 * The part of pino's interface that a verifier uses. Tokens and secrets are never logged.
 * @example
 * ```ts
 * const lines: string[] = [];
 * const write = (_details: object, message: string): void => void lines.push(message);
 * const logger: VerifierLogger = { info: write, warn: write };
 * logger.warn({}, 'The revocation feed is stale.');
 * lines; // → ['The revocation feed is stale.']
 * ```
 */
export interface VerifierLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export const silentLogger: VerifierLogger = { info: () => undefined, warn: () => undefined };
