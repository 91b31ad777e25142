/** The machine side of Latchkey, as another service sees it: plain fetch and the internal key. */
export class LatchkeyApi {
  readonly #url: string;
  readonly #internalKey: string;

  constructor(url: string, internalKey: string) {
    this.#url = url;
    this.#internalKey = internalKey;
  }

  /** Calls a machine route. @throws Error with the code and the message of the answer. */
  async machine<T>(method: string, path: string, body?: object): Promise<T> {
    return this.#call<T>(method, path, { 'X-Internal-API-Key': this.#internalKey }, body);
  }

  /** Calls a route as a signed-in user, within a company. */
  async asUser<T>(method: string, path: string, accessToken: string, companyId: string): Promise<T> {
    return this.#call<T>(method, path, { Authorization: `Bearer ${accessToken}`, 'X-Org': companyId });
  }

  async #call<T>(method: string, path: string, headers: Record<string, string>, body?: object): Promise<T> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Envelope<T>;
    if (answer.success) return answer.data;
    throw new Error(`${method} ${path}: ${response.status} ${answer.error.code}: ${answer.error.message}`);
  }
}

type Envelope<T> = { success: true; data: T } | { success: false; error: { code: string; message: string } };
