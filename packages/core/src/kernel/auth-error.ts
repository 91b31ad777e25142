import type { ErrorCode } from './error-code.js';
import { knownReason, type ErrorReason } from './error-reason.js';
import type { FieldFault } from './field-fault.js';

/** Marks an AuthError of any copy of this package: `instanceof` only knows the classes of its own copy. */
const BRAND = Symbol.for('latchkey.AuthError');

/** The sign-in that `reauthentication_required` requires, for the challenge of RFC 9470 section 3. */
export interface SignInChallenge {
  /** The greatest age of the sign-in, in seconds. */
  readonly maxAgeSeconds?: number | undefined;
  /** The level of the sign-in, a value of `acr`. */
  readonly acrValues?: string | undefined;
}

/** The parts of an `AuthError` beside its code and message. */
export interface AuthErrorOptions<Code extends ErrorCode = ErrorCode> {
  /** One of `ERROR_REASONS`, or one of the app's own, such as `app.no_seats`. Defaults to the code; any other text is a `TypeError`. */
  reason?: ErrorReason<Code> | undefined;
  /** The fields that are rejected. */
  fields?: readonly FieldFault[];
  /** The underlying failure, for logs. Never shown to a client. */
  cause?: unknown;
  /** Seconds after which a retry may succeed; sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** The sign-in that is required; sent in `WWW-Authenticate`. */
  challenge?: SignInChallenge | undefined;
}

/**
 * The only error that the library throws on purpose. `code` and `reason` are for programs, `message`
 * is written for people and may change. Anything else that is thrown is a defect and becomes
 * `internal_error` at the edge. Wrong wiring (a missing option) throws `TypeError` instead.
 * @example
 * ```ts
 * const error = new AuthError('rate_limited', 'Too many exports. Try again later.', { retryAfterSeconds: 60 });
 * error.code; // → 'rate_limited'
 * error.reason; // → 'rate_limited'
 * AuthError.notFound('The invoice').message; // → 'The invoice was not found.'
 * ```
 */
export class AuthError extends Error {
  override readonly name = 'AuthError';
  readonly code: ErrorCode;
  /** The exact cause: one of `ERROR_REASONS[code]`, one of the app's own, or the code itself if there is nothing more to say. */
  readonly reason: ErrorReason;
  /** The fields that are rejected; empty for anything but `validation_error`. */
  readonly fields: readonly FieldFault[];
  readonly retryAfterSeconds: number | undefined;
  /** The sign-in that `reauthentication_required` requires; undefined for all other codes. */
  readonly challenge: SignInChallenge | undefined;

  static {
    // On the prototype and unknown to the type: it is not printed, and the types of two copies fit each other.
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }

  constructor(code: ErrorCode, message: string, options: AuthErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.reason = knownReason(code, options.reason);
    this.fields = Object.freeze((options.fields ?? []).map((field) => Object.freeze({ ...field })));
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.challenge = options.challenge && Object.freeze({ ...options.challenge });
  }

  /**
   * Returns whether a value is an AuthError, also one of another copy of this package in `node_modules`, for which
   * `instanceof` is false.
   * @example
   * ```ts
   * const error: unknown = AuthError.forbidden();
   * AuthError.is(error) && error.code; // → 'forbidden'
   * AuthError.is(new Error('no')); // → false
   * ```
   */
  static is(value: unknown): value is AuthError {
    return typeof value === 'object' && value !== null && BRAND in value && value[BRAND] === true;
  }

  static unauthorized(
    message = 'The access token is missing, invalid or expired.',
    reason?: ErrorReason<'unauthorized'>,
  ): AuthError {
    return make('unauthorized', message, { reason });
  }

  static forbidden(
    message = 'You are not allowed to do this.',
    reason?: ErrorReason<'forbidden'>,
  ): AuthError {
    return make('forbidden', message, { reason });
  }

  static notFound(what: string, reason?: ErrorReason<'not_found'>): AuthError {
    return make('not_found', `${what} was not found.`, { reason });
  }

  static conflict(message: string, reason?: ErrorReason<'conflict'>): AuthError {
    return make('conflict', message, { reason });
  }

  static validation(message: string, options: AuthErrorOptions<'validation_error'> = {}): AuthError {
    return make('validation_error', message, options);
  }

  /**
   * Creates the error of a dependency that is unavailable. @param retryAfterSeconds the value of
   * `Retry-After`. Defaults to 1 second.
   */
  static unavailable(message: string, cause?: unknown, retryAfterSeconds = 1): AuthError {
    return make('service_unavailable', message, { cause, retryAfterSeconds });
  }
}

/**
 * Creates the error. A function outside of the class: a class that names itself in its static methods is
 * called `_AuthError` in the build.
 */
function make<Code extends ErrorCode>(
  code: Code,
  message: string,
  options: AuthErrorOptions<Code>,
): AuthError {
  return new AuthError(code, message, options);
}
