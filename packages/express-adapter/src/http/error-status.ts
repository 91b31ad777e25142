import type { ErrorCode } from '@latchkey/core';

/** The status of a body that is too large, in place of that of its code. */
export const CONTENT_TOO_LARGE = 413;

/** The HTTP status of each error code. It stands here and nowhere else. */
const STATUS_OF: Record<ErrorCode, number> = {
  validation_error: 400,
  unauthorized: 401,
  session_revoked: 401,
  reauthentication_required: 401,
  forbidden: 403,
  pending_approval: 403,
  registration_rejected: 403,
  account_inactive: 403,
  registration_disabled: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  internal_error: 500,
  not_implemented: 501,
  finance_db_not_configured: 503,
  service_unavailable: 503,
  not_ready: 503,
};

/**
 * Returns the HTTP status of an error code, for hosts that answer requests without Express.
 * @example
 * ```ts
 * statusOf('session_revoked'); // → 401
 * statusOf('conflict'); // → 409
 * ```
 */
export const statusOf = (code: ErrorCode): number => STATUS_OF[code];

/** Whether a code has a status: one of a newer copy of the core may be unknown here. */
export const hasStatus = (code: string): code is ErrorCode => Object.hasOwn(STATUS_OF, code);
