/** The part of pino's interface that a verifier uses. Tokens and secrets are never logged. */
export interface VerifierLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export const silentLogger: VerifierLogger = { info: () => undefined, warn: () => undefined };

/** The log of mistakes in the wiring, each of which is reported once, if the app has given no logger: every request is 401 then. */
export const consoleLogger: VerifierLogger = {
  info: () => undefined,
  warn: (details, message) => console.warn(`@latchkey/verifier: ${message}`, details),
};
