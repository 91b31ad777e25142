import { z } from 'zod';
import { ERROR_CODES, ERROR_REASONS, FIELD_REASONS, type AuthError, type ErrorCode } from '@latchkey/core';
import { preferredType } from '../exchange/accepts.js';
import type { HttpRequest } from '../exchange/http-request.js';

/** The media type of problem details (RFC 9457). */
export const PROBLEM = 'application/problem+json';
const ENVELOPE = 'application/json';

/** Address of the page with a section for each code. It identifies codes; no program needs to fetch it. */
const ERRORS_PAGE = 'https://example.com/latchkey/docs/errors.md';

/** The same for each occurrence of a code (RFC 9457 section 3.1.3). */
const TITLE_OF: Record<ErrorCode, string> = {
  validation_error: 'The request is not valid',
  unauthorized: 'Not signed in',
  session_revoked: 'The session was ended',
  reauthentication_required: 'A fresh sign-in is required',
  forbidden: 'Not allowed',
  pending_approval: 'The account is waiting for approval',
  registration_rejected: 'The registration was rejected',
  account_inactive: 'The account is deactivated',
  email_unverified: 'The email address is not confirmed',
  second_factor_required: 'A second factor is required',
  registration_disabled: 'Registration is switched off',
  not_found: 'Not found',
  conflict: 'Conflict with the current state',
  gone: 'No longer available',
  rate_limited: 'Too many attempts',
  not_implemented: 'Not implemented',
  finance_db_not_configured: 'No finance database',
  service_unavailable: 'Temporarily unavailable',
  not_ready: 'Not ready',
  internal_error: 'Internal error',
};

const errorReason = z.enum(Object.values(ERROR_REASONS).flat()).meta({ id: 'ErrorReason' });
/** A reason that the app around the service has given an error of its own. */
const appReason = z.templateLiteral(['app.', z.string()]);

/** The body of an error for clients that accept `application/problem+json`. */
export const problemDetails = z
  .object({
    /** The section of the code on the errors page. */
    type: z.url(),
    title: z.string(),
    status: z.int(),
    /** A message for people. May change. */
    detail: z.string(),
    code: z.enum(ERROR_CODES),
    reason: z
      .union([errorReason, appReason])
      .describe('The exact cause. An app around the service may add reasons that begin with `app.`.'),
    /** The invalid fields; missing when the error is not about fields. */
    errors: z
      .array(
        z.object({
          /** JSON pointer (RFC 6901) into the body; `/name` for a parameter or header. */
          pointer: z.string(),
          reason: z.enum(FIELD_REASONS),
          message: z.string(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'ProblemDetails' });

/** Describes an error as problem details. */
export const toProblemDetails = (
  { code, reason, message, fields }: AuthError,
  status: number,
): z.output<typeof problemDetails> => ({
  type: `${ERRORS_PAGE}#${code}`,
  title: TITLE_OF[code],
  status,
  detail: message,
  code,
  reason,
  ...(fields.length > 0 && { errors: fields.map((field) => ({ ...field })) }),
});

/**
 * Reports whether the client prefers problem details (RFC 9110 section 12.5.1). Without `Accept`, for any type, and where
 * `application/json` has the same quality and is named first, it gets the envelope.
 */
export const prefersProblemDetails = (request: Pick<HttpRequest, 'headers'>): boolean =>
  preferredType(request, [ENVELOPE, PROBLEM]) === PROBLEM;
