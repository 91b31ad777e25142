import { responseParts } from './http/error-response.js';
import { VERIFICATION_STATUSES, type VerificationCode } from './verification-code.js';

/** Marks an error of any copy of this package: `instanceof` only knows the classes of its own copy. */
const BRAND = Symbol.for('latchkey.VerificationError');

/** The parts of a `VerificationError` beside its code and message. */
export interface VerificationErrorOptions {
  /** The exact cause, such as `access_token_outdated`. Defaults to the code. */
  reason?: string | undefined;
  /** The underlying failure, for logs. Never shown to a client. */
  cause?: unknown;
  /** Seconds after which a retry may succeed; sent as `Retry-After`. */
  retryAfterSeconds?: number | undefined;
  /** Parameters of the challenge of `reauthentication_required` (RFC 9470 section 3), such as `max_age=300`. */
  challenge?: string | undefined;
}

/**
 * The error of a request that is not accepted. `code` and `reason` are for programs, `message` is written for people
 * and may change.
 * @example
 * ```ts
 * const error = new VerificationError('unauthorized', 'The access token is missing, invalid or expired.');
 * error.status; // → 401
 * const response = error.toResponse();
 * response.headers.get('www-authenticate'); // → 'Bearer'
 * ```
 */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  readonly code: VerificationCode;
  readonly reason: string;
  readonly retryAfterSeconds: number | undefined;
  readonly challenge: string | undefined;

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }

  constructor(code: VerificationCode, message: string, options: VerificationErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.reason = options.reason ?? code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.challenge = options.challenge;
  }

  /** Returns whether a value is a VerificationError, also one of another copy of this package. */
  static is(value: unknown): value is VerificationError {
    return typeof value === 'object' && value !== null && BRAND in value && value[BRAND] === true;
  }

  /** The HTTP status of the code. */
  get status(): number {
    return VERIFICATION_STATUSES[this.code];
  }

  /**
   * Returns the response that a route of the service would give: its envelope, or problem details (RFC 9457) if the
   * `Accept` header of the request prefers them, with `WWW-Authenticate`, `Retry-After` and `Cache-Control: no-store`.
   */
  toResponse(request?: { readonly headers: { get(name: string): string | null } }): Response {
    const { status, headers, body } = responseParts(this, request?.headers.get('accept') ?? undefined);
    return new Response(body, { status, headers: [...headers] });
  }
}
