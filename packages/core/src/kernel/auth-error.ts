import type { ErrorCode } from './error-code.js';

/** Marks an AuthError of any copy of this package: `instanceof` only knows the classes of its own copy. */
const BRAND = Symbol.for('latchkey.AuthError');

export interface AuthErrorOptions {
  /** The underlying failure, for logs. Never shown to a client. */
  cause?: unknown;
  /** Seconds after which a retry may succeed; sent as `Retry-After`. */
  retryAfterSeconds?: number;
}

/**
 * The one error that crosses the library's border on purpose. `code` is what programs branch on, `message`
 * is written for people and may change. Anything else that is thrown is a defect and becomes
 * `internal_error` at the edge. Wrong wiring (a missing option) throws `TypeError` instead.
 * @example
 * ```ts
 * const error = new AuthError('rate_limited', 'Too many exports. Try again later.', { retryAfterSeconds: 60 });
 * error.code; // → 'rate_limited'
 * AuthError.notFound('The invoice').message; // → 'The invoice was not found.'
 * ```
 */
export class AuthError extends Error {
  override readonly name = 'AuthError';
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;

  static {
    // On the prototype and unknown to the type: it is not printed, and the types of two copies fit each other.
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }

  constructor(code: ErrorCode, message: string, options: AuthErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
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

  static unauthorized(message = 'The access token is missing, invalid or expired.'): AuthError {
    return new AuthError('unauthorized', message);
  }

  static forbidden(message = 'You are not allowed to do this.'): AuthError {
    return new AuthError('forbidden', message);
  }

  static notFound(what: string): AuthError {
    return new AuthError('not_found', `${what} was not found.`);
  }

  static conflict(message: string): AuthError {
    return new AuthError('conflict', message);
  }

  static validation(message: string): AuthError {
    return new AuthError('validation_error', message);
  }

  /** A dependency is away. @param retryAfterSeconds what `Retry-After` says, 1 s unless told otherwise. */
  static unavailable(message: string, cause?: unknown, retryAfterSeconds = 1): AuthError {
    return new AuthError('service_unavailable', message, { cause, retryAfterSeconds });
  }
}
