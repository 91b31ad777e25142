/** An error response for the caller. */
export class Refusal extends Error {
  readonly status: 401 | 403 | 503;
  readonly code: string;

  constructor(status: Refusal['status'], code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
  }

  static unauthorized(options?: ErrorOptions): Refusal {
    return new Refusal(401, 'unauthorized', 'A valid access token is needed.', options);
  }

  static forbidden(): Refusal {
    return new Refusal(403, 'forbidden', 'You may not do this.');
  }

  /** The token cannot be checked. Never 401, which would make a client discard a valid token. */
  static unavailable(cause: unknown): Refusal {
    return new Refusal(503, 'service_unavailable', 'Access tokens cannot be checked at the moment.', {
      cause,
    });
  }
}
