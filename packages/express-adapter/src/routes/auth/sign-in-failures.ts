import type { ErrorCode } from '@latchkey/core';

/** Codes that any way to sign in may answer with: wrong credentials, or an account that may not sign in. */
export const SIGN_IN_FAILURES = [
  'unauthorized',
  'pending_approval',
  'registration_rejected',
  'account_inactive',
] as const satisfies readonly ErrorCode[];
