/** Why a request is not served, as its caller is told. */
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

  /** Nobody can say whether the token is good. Never a 401: a client would throw a good token away. */
  static cannotTell(cause: unknown): Refusal {
    return new Refusal(503, 'service_unavailable', 'Access tokens cannot be checked at the moment.', {
      cause,
    });
  }
}
