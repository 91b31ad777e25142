/** The part of pino's interface that a verifier uses. Tokens and secrets are never logged. */
export interface VerifierLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export const silentLogger: VerifierLogger = { info: () => undefined, warn: () => undefined };
