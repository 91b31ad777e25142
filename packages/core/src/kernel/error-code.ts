/**
 * Every `error.code` a client can receive. The list is closed: clients branch on codes, so adding one is a
 * change of the interface. The HTTP status of each is in the Express adapter's `error-status.ts`.
 */
export const ERROR_CODES = [
  'validation_error',
  'unauthorized',
  'session_revoked',
  'reauthentication_required',
  'forbidden',
  'pending_approval',
  'registration_rejected',
  'account_inactive',
  'email_unverified',
  'second_factor_required',
  'registration_disabled',
  'not_found',
  'conflict',
  'gone',
  'rate_limited',
  'not_implemented',
  'finance_db_not_configured',
  'service_unavailable',
  'not_ready',
  'internal_error',
] as const;

/** The code of an error, for programs to branch on: one of `ERROR_CODES`. */
export type ErrorCode = (typeof ERROR_CODES)[number];
