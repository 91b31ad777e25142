import type { Schemas } from './routes.js';

type Problem = Schemas['ProblemDetails'];

/** The codes of the service's errors. */
export type ServiceErrorCode = Problem['code'];

/** The exact cause of an error; an app around the service has its own reasons. */
type ServiceErrorReason = Schemas['ErrorReason'] | `app.${string}`;

/** An invalid field, with a JSON pointer into the body. */
type FieldError = NonNullable<Problem['errors']>[number];

/** The fields that only some codes have. */
type Details<Code> = Code extends 'rate_limited' | 'service_unavailable' | 'not_ready'
  ? { retryAfterSeconds: number | undefined }
  : Code extends 'reauthentication_required'
    ? { maxAgeSeconds: number | undefined }
    : unknown;

/**
 * An error of the service. `reason` is the exact cause, `message` is for people, `fields` lists invalid fields, and
 * `requestId` finds the log lines.
 */
export type ServiceError<Code extends ServiceErrorCode = ServiceErrorCode> = Code extends ServiceErrorCode
  ? {
      code: Code;
      reason: ServiceErrorReason;
      message: string;
      status: number;
      fields: readonly FieldError[];
      requestId: string | undefined;
    } & Details<Code>
  : never;

/**
 * A request without a response of the service. `network_failure`: offline, refused or cut off; the tokens are kept.
 * `aborted`: by the signal of the caller. `unexpected_response`: something else responded, such as a proxy.
 */
export type TransportError =
  | { code: 'network_failure' | 'aborted'; message: string; cause: unknown }
  | {
      code: 'unexpected_response';
      message: string;
      status: number;
      retryAfterSeconds: number | undefined;
    };

/** A step-up whose session is no longer that of this client: another user has signed in, or this one has signed out. */
export interface SessionReplacedError {
  code: 'session_replaced';
  message: string;
}

export const REPLACED = 'Another sign-in replaced the session.';

/** The outcome of a request. Check `ok`, or that `error` is undefined; `error.code` identifies the error. */
export type Result<Data, Failure> =
  | { ok: true; data: Data; error?: undefined; response: Response }
  | { ok: false; data?: undefined; error: Failure; response: Response | undefined };

/** Returns the error of an unsuccessful response, from its problem details or its envelope. */
export function serviceError(response: Response, body: unknown): ServiceError | TransportError {
  const { status, headers } = response;
  const problem = problemOf(body);
  if (!problem) {
    return {
      code: 'unexpected_response',
      message: `Unexpected response ${status}. Check baseUrl.`,
      status,
      retryAfterSeconds: retryAfterSeconds(response),
    };
  }
  const { code, reason, message, errors } = problem;
  return {
    code,
    reason: reason ?? code,
    message,
    status,
    fields: errors ?? [],
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(response),
    ...(code === 'reauthentication_required' && { maxAgeSeconds: maxAgeSeconds(headers) }),
  } as ServiceError;
}

/** Returns the result of a request without data, if one was sent at all. */
export async function emptyResult(
  send: () => Promise<Response | undefined>,
): Promise<Result<undefined, ServiceError | TransportError>> {
  try {
    const response = (await send()) ?? new Response();
    if (response.ok) return { ok: true, data: undefined, response };
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined);
    return { ok: false, error: serviceError(response, body), response };
  } catch (thrown) {
    return { ok: false, error: transportError(thrown), response: undefined };
  }
}

/** A use of the client that cannot work in this environment. */
export class ClientMisuse extends TypeError {}

/** Returns the error for an exception of `fetch`. */
export function transportError(thrown: unknown, signal?: AbortSignal): TransportError {
  const isAborted = signal?.aborted === true;
  return {
    code: isAborted ? 'aborted' : 'network_failure',
    message: isAborted ? 'The request was aborted.' : messageOf(thrown),
    cause: thrown,
  };
}

const messageOf = (thrown: unknown): string =>
  thrown instanceof ClientMisuse ? thrown.message : 'The service is not reachable.';

/** Returns the seconds of `Retry-After`, or undefined without a number. */
export function retryAfterSeconds({ headers }: Response): number | undefined {
  const text = headers.get('retry-after');
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** The sign-in that an API requires: at most so old, and at this level (`aal2`: with a second factor). */
export interface StepUp {
  maxAgeSeconds: number | undefined;
  acrValues: string | undefined;
}

/**
 * Returns the step-up that a response of an API asks for (RFC 9470), undefined if it asks for none. An API of another origin must
 * expose `WWW-Authenticate`.
 *
 * @example
 * stepUpOf(new Response()); // → undefined
 */
export function stepUpOf({ status, headers }: Response): StepUp | undefined {
  const challenge = headers.get('www-authenticate') ?? '';
  if (status !== 401 || !challenge.includes('insufficient_user_authentication')) return undefined;
  const [, acrValues] = /acr_values="?([^",]+)/.exec(challenge) ?? [];
  return { maxAgeSeconds: maxAgeSeconds(headers), acrValues };
}

/** RFC 9470 section 3. */
function maxAgeSeconds(headers: Headers): number | undefined {
  const [, seconds] = /max_age="?(\d+)/.exec(headers.get('www-authenticate') ?? '') ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}

interface KnownProblem {
  code: ServiceErrorCode;
  reason?: ServiceErrorReason;
  message: string;
  errors?: readonly FieldError[];
}

/** Problem details, or the envelope. */
type ProblemBody = Partial<Omit<Problem, 'reason'> & KnownProblem> & { error?: Partial<KnownProblem> };

/** Returns the problem in a body; an app that embeds the service may respond with the envelope alone. */
export function problemOf(body: unknown): KnownProblem | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { error, detail, ...problem } = body as ProblemBody;
  const { code, message = detail ?? '', ...rest } = { ...problem, ...error };
  return code === undefined ? undefined : { ...rest, code, message };
}
