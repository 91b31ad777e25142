/** An answer of Latchkey that says no; also the lack of one, as `service_unavailable`. */
export class LatchkeyError extends Error {
  /** What to decide by: docs/errors.md lists them. */
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

/** A pair of tokens, as every way of signing in answers with. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

const TIMEOUT_MILLISECONDS = 5_000;

/** Latchkey over HTTP, as any client sees it. */
export class LatchkeyClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Gives `data` of the answer. @throws LatchkeyError */
  async call<T>(method: string, path: string, call: Call = {}): Promise<T> {
    const answer = await this.#exchange<T>(method, path, call).catch((cause: unknown) => {
      throw new LatchkeyError('service_unavailable', `${this.#url} does not answer.`, { cause });
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
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
    return (await response.json()) as Envelope<T>;
  }
}

type Envelope<T> = { success: true; data: T } | { success: false; error: { code: string; message: string } };
