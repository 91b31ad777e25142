/** A page of a list: its items and the position of the next page. */
export interface Page<T> {
  items: T[];
  /** Total number of items; undefined for lists with a cursor. */
  total: number | undefined;
  /** Cursor of the next page; undefined after the last one, and for lists with an offset. */
  nextCursor: string | undefined;
}

/** An error response. */
export class ApiError extends Error {
  readonly status: number;
  /** Error code; docs/errors.md lists them. */
  readonly code: string;

  constructor(request: string, status: number, { code, message }: { code: string; message: string }) {
    super(`${request}: ${status} ${code}: ${message}`);
    this.status = status;
    this.code = code;
  }
}

const TIMEOUT_MS = 10_000;

/** Client for Latchkey's machine routes: plain fetch and the internal key. */
export class LatchkeyApi {
  readonly #url: string;
  readonly #internalKey: string;

  constructor(url: string, internalKey: string) {
    this.#url = url;
    this.#internalKey = internalKey;
  }

  /** Calls a machine route. @throws ApiError */
  async machine<T>(method: string, path: string, body?: object): Promise<T> {
    return (await this.#call<T>(method, path, this.#asMachine(), body)).data;
  }

  /** Calls a machine route that returns a list. @throws ApiError */
  async page<T>(path: string, query: Record<string, string>): Promise<Page<T>> {
    const address = `${path}?${new URLSearchParams(query).toString()}`;
    const { data, headers } = await this.#call<T[]>('GET', address, this.#asMachine());
    const total = headers.get('x-total-count');
    return {
      items: data,
      total: total === null ? undefined : Number(total),
      nextCursor: headers.get('x-next-cursor') ?? undefined,
    };
  }

  /** Calls a route as a signed-in user, within a company. @throws ApiError */
  async asUser<T>(method: string, path: string, accessToken: string, companyId: string): Promise<T> {
    const headers = { Authorization: `Bearer ${accessToken}`, 'X-Org': companyId };
    return (await this.#call<T>(method, path, headers)).data;
  }

  #asMachine(): Record<string, string> {
    return { 'X-Internal-API-Key': this.#internalKey };
  }

  async #call<T>(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<Answer<T>> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = (await response.json()) as Envelope<T>;
    if (answer.success) return { data: answer.data, headers: response.headers };
    throw new ApiError(`${method} ${path}`, response.status, answer.error);
  }
}

interface Answer<T> {
  data: T;
  headers: Headers;
}

type Envelope<T> = { success: true; data: T } | { success: false; error: { code: string; message: string } };
