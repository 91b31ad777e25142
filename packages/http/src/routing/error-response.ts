import { AuthError, type ErrorCode, type Logger, type SignInChallenge } from '@latchkey/core';
import type { Exchange } from '../exchange/exchange.js';
import type { HttpResponse } from '../exchange/http-response.js';
import { requestIdOf } from '../exchange/request-id.js';
import { jsonResponse } from './envelope.js';
import { CONTENT_TOO_LARGE, hasStatus, statusOf } from './error-status.js';
import { prefersProblemDetails, PROBLEM, toProblemDetails } from './problem-details.js';

interface ErrorEnvelope {
  success: false;
  error: { code: ErrorCode; message: string };
}

/** Context of an error response. */
export interface ErrorContext {
  logger: Logger;
  /** True where a Bearer token would have been accepted (RFC 6750 section 3). */
  challengesBearer?: boolean;
  /** Maximum age of the sign-in, seconds, when it was exceeded. The challenge of the error itself takes precedence. */
  maxAgeSeconds?: number | undefined;
}

/**
 * Returns the response to any thrown value in the envelope, or as problem details (RFC 9457) if the client prefers them. An
 * error that is not meant for clients is logged and returned as `internal_error`.
 */
export function errorResponse(exchange: Exchange, thrown: unknown, context: ErrorContext): HttpResponse {
  const { request, headers } = exchange;
  const error = toAuthError(thrown);
  const status = isTooLarge(thrown) ? CONTENT_TOO_LARGE : statusOf(error.code);
  logFailure(thrown, { logger: context.logger, requestId: requestIdOf(request) });
  if (status === 401 && context.challengesBearer) {
    headers.set(
      'WWW-Authenticate',
      challengeOf(error, { maxAgeSeconds: context.maxAgeSeconds, ...error.challenge }),
    );
  }
  if (error.retryAfterSeconds !== undefined) headers.set('Retry-After', String(error.retryAfterSeconds));
  headers.vary('Accept');
  return prefersProblemDetails(request)
    ? jsonResponse(exchange, status, toProblemDetails(error, status), PROBLEM)
    : jsonResponse(exchange, status, envelopeOf(error));
}

/** Returns the 404 of a path or method that the service does not have. */
export const endpointNotFound = (exchange: Exchange, context: ErrorContext): HttpResponse =>
  errorResponse(exchange, AuthError.notFound('The endpoint', 'endpoint_not_found'), context);

const envelopeOf = ({ code, message }: AuthError): ErrorEnvelope => ({
  success: false,
  error: { code, message },
});

/** Returns the challenge; of RFC 9470 section 3 when only the age or the level of the sign-in is wrong. */
function challengeOf({ code }: AuthError, { maxAgeSeconds, acrValues }: SignInChallenge): string {
  if (code !== 'reauthentication_required') return 'Bearer';
  return [
    'Bearer error="insufficient_user_authentication"',
    ...(acrValues === undefined ? [] : [`acr_values="${acrValues}"`]),
    ...(maxAgeSeconds === undefined ? [] : [`max_age=${maxAgeSeconds}`]),
  ].join(', ');
}

function toAuthError(thrown: unknown): AuthError {
  // An AuthError of a newer copy of the core may have a code that this copy does not know.
  if (AuthError.is(thrown) && hasStatus(thrown.code)) return thrown;
  if (isTooLarge(thrown)) {
    return AuthError.validation('The body is larger than 100 KiB.', { reason: 'body_too_large' });
  }
  if (isClientFault(thrown)) return requestFault(thrown);
  return new AuthError('internal_error', 'Something went wrong on our side.', { cause: thrown });
}

/** The errors of body-parser and the router for requests that cannot be read (`http-errors`). */
interface ClientFault {
  status: number;
  type: string;
}

const MESSAGE_OF_FAULT: Record<string, string> = {
  'entity.parse.failed': 'The body is not valid JSON.',
  'encoding.unsupported': 'Content-Encoding is not supported. Send the body without it.',
  'charset.unsupported': 'The body must be UTF-8.',
  'entity.verify.failed': 'The body must be UTF-8.',
  'request.aborted': 'The body ended early.',
  'request.size.invalid': 'The body does not have the length of Content-Length.',
};

function requestFault({ type }: ClientFault): AuthError {
  const message = MESSAGE_OF_FAULT[type];
  if (message === undefined) return AuthError.validation('The request is malformed.');
  return AuthError.validation(message, { reason: 'body_malformed' });
}

function isClientFault(thrown: unknown): thrown is ClientFault {
  if (!(thrown instanceof Error) || !('status' in thrown)) return false;
  const { status } = thrown;
  return typeof status === 'number' && status >= 400 && status < 500;
}

const isTooLarge = (thrown: unknown): boolean => isClientFault(thrown) && thrown.status === CONTENT_TOO_LARGE;

/** Logs what operators should know of: an error that is not meant for clients, and a dependency that is unavailable. */
export function logFailure(
  thrown: unknown,
  { logger, requestId }: { logger: Logger; requestId: string },
): void {
  const error = toAuthError(thrown);
  if (error.code === 'internal_error') {
    logger.error({ err: withoutBody(thrown), requestId }, 'unforeseen failure');
  }
  if (error.code === 'service_unavailable') {
    logger.warn({ err: withoutBody(error.cause), requestId }, error.message);
  }
}

/** Parsers of hosts attach the body of a request to their errors (`body-parser`), and a logger would print the passwords in it. */
function withoutBody(error: unknown): unknown {
  if (!(error instanceof Error) || !('body' in error)) return error;
  const { body: _hidden, ...properties } = Object.getOwnPropertyDescriptors(error) as PropertyDescriptorMap;
  const copy: unknown = Object.create(Object.getPrototypeOf(error) as object, properties);
  return copy;
}
