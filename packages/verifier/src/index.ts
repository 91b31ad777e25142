export type { VerifierClock } from './clock.js';
export { createVerifier } from './create-verifier.js';
export type { VerifierLogger } from './logger.js';
export type { VerifiedCaller } from './tokens/verified-caller.js';
export { VERIFICATION_STATUSES, type VerificationCode } from './verification-code.js';
export { VerificationError, type VerificationErrorOptions } from './verification-error.js';
export type { VerifierCredential, VerifierOptions, WhenStale } from './verifier-options.js';
export type { VerifierStatus } from './verifier-status.js';
export type { Verifier } from './verifier.js';
