/**
 * Every `error.code` a client can meet. The list is closed: clients branch on codes, so adding one is a
 * change of the interface. The HTTP status of each stands in the Express adapter's `error-response.ts`.
 */
export const ERROR_CODES = [
  'validation_error',
  'unauthorized',
  'session_revoked',
  'forbidden',
  'pending_approval',
  'registration_rejected',
  'account_inactive',
  'registration_disabled',
  'not_found',
  'conflict',
  'rate_limited',
  'not_implemented',
  'finance_db_not_configured',
  'service_unavailable',
  'not_ready',
  'internal_error',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];
