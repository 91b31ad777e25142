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

export const isVerificationCode = (code: unknown): code is VerificationCode =>
  typeof code === 'string' && Object.hasOwn(VERIFICATION_STATUSES, code);

/** Titles of problem details: the same for each occurrence of a code (RFC 9457 section 3.1.3). */
export const PROBLEM_TITLES: Record<VerificationCode, string> = {
  validation_error: 'The request is not valid',
  unauthorized: 'Not signed in',
  session_revoked: 'The session was ended',
  reauthentication_required: 'A fresh sign-in is required',
  forbidden: 'Not allowed',
  pending_approval: 'The account is waiting for approval',
  registration_rejected: 'The registration was rejected',
  account_inactive: 'The account is deactivated',
  service_unavailable: 'Temporarily unavailable',
  internal_error: 'Internal error',
};
