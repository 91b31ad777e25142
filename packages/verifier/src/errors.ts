import { VerificationError } from './verification-error.js';

/** The errors of the service's own guards: same codes, reasons and messages. */
export const unauthorized = (cause?: unknown): VerificationError =>
  new VerificationError('unauthorized', 'The access token is missing, invalid or expired.', { cause });

export const sessionRevoked = (): VerificationError =>
  new VerificationError('session_revoked', 'This session was ended. Sign in again.');

export const tokenOutdated = (): VerificationError =>
  new VerificationError('unauthorized', 'The access token is outdated. Refresh it.', {
    reason: 'access_token_outdated',
  });

export const invalidKey = (): VerificationError =>
  new VerificationError('unauthorized', 'The API key is unknown, expired or revoked.', {
    reason: 'api_key_invalid',
  });

/** The error for an API key where only a caller with a session is accepted. */
export const notWithApiKey = (): VerificationError =>
  new VerificationError('forbidden', 'This is not possible with an API key. Sign in as a user.', {
    reason: 'not_with_api_key',
  });

export const forbidden = (): VerificationError =>
  new VerificationError('forbidden', 'You are not allowed to do this.');

/** A token that cannot be checked. Never 401, which would make a client discard a valid token. */
export const unavailable = (cause?: unknown): VerificationError =>
  new VerificationError('service_unavailable', 'Access tokens cannot be checked at the moment.', {
    cause,
    retryAfterSeconds: 1,
  });
