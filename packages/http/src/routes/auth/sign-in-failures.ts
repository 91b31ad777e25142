import type { ErrorCode } from '@latchkey/core';

/** Error codes of every sign-in: wrong credentials, or an account that may not sign in. */
export const SIGN_IN_FAILURES = [
  'unauthorized',
  'pending_approval',
  'registration_rejected',
  'account_inactive',
  'email_unverified',
] as const satisfies readonly ErrorCode[];
