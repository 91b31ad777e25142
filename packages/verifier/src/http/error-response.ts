import { VERIFICATION_STATUSES, type VerificationCode } from '../verification-code.js';
import { prefersProblemDetails, PROBLEM } from './accept.js';

/** Titles of problem details: the same for each occurrence of a code (RFC 9457 section 3.1.3). */
const PROBLEM_TITLES: Record<VerificationCode, string> = {
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

/** Headers of an API response that the service sets on its own errors: no framing, sniffing, caching or scripts. */
const HARDENING_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Origin-Agent-Cluster', '?1'],
  ['Referrer-Policy', 'no-referrer'],
  ['Strict-Transport-Security', 'max-age=31536000'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-DNS-Prefetch-Control', 'off'],
  ['X-Download-Options', 'noopen'],
  ['X-Frame-Options', 'SAMEORIGIN'],
  ['X-Permitted-Cross-Domain-Policies', 'none'],
  ['X-XSS-Protection', '0'],
];

/** Address of the page with a section for each code. It identifies codes; no program needs to fetch it. */
const ERRORS_PAGE = 'https://example.com/latchkey/docs/errors.md';

/** The fields of an error that its response shows. */
interface ShownError {
  readonly code: VerificationCode;
  readonly reason: string;
  readonly message: string;
  readonly retryAfterSeconds: number | undefined;
  readonly challenge: string | undefined;
}

/** A response, for any kind of server. */
interface ResponseParts {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/** Returns the response of an error, in the form that the `Accept` header prefers. */
export function responseParts(error: ShownError, accept: string | undefined): ResponseParts {
  const status = VERIFICATION_STATUSES[error.code];
  const headers = new Map(HARDENING_HEADERS);
  if (status === 401) headers.set('WWW-Authenticate', challengeOf(error));
  if (error.retryAfterSeconds !== undefined) headers.set('Retry-After', String(error.retryAfterSeconds));
  headers.set('Vary', 'Accept');
  const isProblem = prefersProblemDetails(accept);
  headers.set('Content-Type', isProblem ? PROBLEM : 'application/json; charset=utf-8');
  return { status, headers, body: JSON.stringify(isProblem ? problemOf(error, status) : envelopeOf(error)) };
}

const envelopeOf = ({ code, message }: ShownError): object => ({ success: false, error: { code, message } });

const problemOf = ({ code, reason, message }: ShownError, status: number): object => ({
  type: `${ERRORS_PAGE}#${code}`,
  title: PROBLEM_TITLES[code],
  status,
  detail: message,
  code,
  reason,
});

/** Returns the challenge: of RFC 6750 section 3, or of RFC 9470 section 3 when only the sign-in is insufficient. */
function challengeOf({ code, challenge }: ShownError): string {
  if (code !== 'reauthentication_required') return 'Bearer';
  const error = 'Bearer error="insufficient_user_authentication"';
  return challenge === undefined ? error : `${error}, ${challenge}`;
}
