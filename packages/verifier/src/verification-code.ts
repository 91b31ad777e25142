/** Every code of a `VerificationError`, with its HTTP status. The codes mean the same as those of the service. */
export const VERIFICATION_STATUSES = {
  validation_error: 400,
  unauthorized: 401,
  session_revoked: 401,
  reauthentication_required: 401,
  forbidden: 403,
  pending_approval: 403,
  registration_rejected: 403,
  account_inactive: 403,
  service_unavailable: 503,
  internal_error: 500,
} as const;

/** The code of a `VerificationError`, for programs to branch on. */
export type VerificationCode = keyof typeof VERIFICATION_STATUSES;
