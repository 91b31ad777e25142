/** An error response of Latchkey, or `service_unavailable` if there is no response. */
export class LatchkeyError extends Error {
  /** Error code; docs/errors.md lists them. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface Call {
  accessToken?: string;
  /** Sent as `x-org`. */
  companyId?: string;
  body?: object;
}

/** The token pair of a session. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** The result of a sign-in that takes a second step: there is no session yet. */
export interface SecondFactorRequired {
  secondFactor: object;
}

const TIMEOUT_MS = 5_000;

/** HTTP client for Latchkey. */
export class LatchkeyClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Returns `data` of the response. @throws LatchkeyError */
  async call<T>(method: string, path: string, call: Call = {}): Promise<T> {
    const answer = await this.#exchange<T>(method, path, call).catch((cause: unknown) => {
      throw new LatchkeyError('service_unavailable', `${this.#url} does not respond.`, { cause });
    });
    if (answer.success) return answer.data;
    throw new LatchkeyError(answer.error.code, answer.error.message);
  }

  async #exchange<T>(method: string, path: string, call: Call): Promise<Envelope<T>> {
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        ...(call.accessToken !== undefined && { Authorization: `Bearer ${call.accessToken}` }),
        ...(call.companyId !== undefined && { 'X-Org': call.companyId }),
        ...(call.body && { 'Content-Type': 'application/json' }),
      },
      ...(call.body && { body: JSON.stringify(call.body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return (await response.json()) as Envelope<T>;
  }
}

type Envelope<T> = { success: true; data: T } | { success: false; error: { code: string; message: string } };
