import { AuthError } from '../kernel/auth-error.js';

/** Returns the refusal of a sign-in whose account is not any more what was verified. */
export const accountChanged = (): AuthError =>
  AuthError.unauthorized(
    'The account changed during the sign-in. Sign in again.',
    'account_changed_during_sign_in',
  );
