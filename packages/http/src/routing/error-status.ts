import type { ErrorCode } from '@latchkey/core';

/** The status of a body that is too large, instead of the status of its code. */
export const CONTENT_TOO_LARGE = 413;

/** The HTTP status of each error code, defined here only. */
const STATUS_OF: Record<ErrorCode, number> = {
  validation_error: 400,
  unauthorized: 401,
  session_revoked: 401,
  reauthentication_required: 401,
  forbidden: 403,
  pending_approval: 403,
  registration_rejected: 403,
  account_inactive: 403,
  email_unverified: 403,
  second_factor_required: 403,
  registration_disabled: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  rate_limited: 429,
  internal_error: 500,
  not_implemented: 501,
  finance_db_not_configured: 503,
  service_unavailable: 503,
  not_ready: 503,
};

/**
 * Returns the HTTP status of an error code, for apps that do not use Express.
 * @example
 * ```ts
 * statusOf('session_revoked'); // → 401
 * statusOf('conflict'); // → 409
 * ```
 */
export const statusOf = (code: ErrorCode): number => STATUS_OF[code];

/** Reports whether a code has a status. A code of a newer copy of the core may be unknown here. */
export const hasStatus = (code: string): code is ErrorCode => Object.hasOwn(STATUS_OF, code);
