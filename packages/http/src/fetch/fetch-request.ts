import type { HttpRequest, RequestHeaders } from '../exchange/http-request.js';

/** The parts of a request of the Fetch API that depend on where the handler is mounted. */
type Located = Pick<HttpRequest, 'path' | 'query' | 'mountPath' | 'address'>;

/** A request of the Fetch API, as the service reads it. Its classes may be those of any realm or library. */
export class FetchRequest implements HttpRequest {
  readonly source: Request;
  readonly path: string;
  readonly query: string;
  readonly mountPath: string;
  readonly isSecure: boolean;
  readonly address: string | undefined;
  readonly parsedBody = undefined;
  readonly headerFault = undefined;
  readonly headers: RequestHeaders;
  readonly signal: AbortSignal;

  /** @param gone is aborted when the client does not read the response any more. */
  constructor(request: Request, { path, query, mountPath, address }: Located, gone: AbortSignal) {
    this.source = request;
    this.path = path;
    this.query = query;
    this.mountPath = mountPath;
    this.address = address;
    this.headers = Object.fromEntries(request.headers);
    this.isSecure = request.url.startsWith('https:') || forwardedProtocol(this.headers) === 'https';
    this.signal = AbortSignal.any([request.signal, gone]);
  }

  get method(): string {
    return this.source.method;
  }

  /** The host has opened the connection; proxies mark what they forward by headers. */
  get peerAddress(): string | undefined {
    return this.address;
  }

  /** Some hosts give every request a body; one that was made in this process has a type instead of a length. */
  get hasBody(): boolean {
    const names = ['content-length', 'transfer-encoding', 'content-type'];
    return this.source.body !== null && names.some((name) => this.headers[name] !== undefined);
  }

  /** The Fetch API joins the values of a header, so a second one makes the first one invalid. */
  valuesOf(name: string): readonly string[] {
    const value = this.headers[name];
    return typeof value === 'string' ? [value] : [];
  }

  async readBytes(limit: number): Promise<Uint8Array | undefined> {
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of this.#body()) {
      length += part.length;
      if (length > limit) throw bodyFault(413, 'entity.too.large');
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  async *#body(): AsyncGenerator<Uint8Array> {
    const reader = this.source.body?.getReader();
    try {
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) yield read.value;
    } catch (error) {
      throw bodyFault(400, 'request.aborted', error);
    } finally {
      // What is left of a body that is too long is not read.
      void reader?.cancel().catch(() => undefined);
    }
  }
}

/**
 * Returns the protocol that a proxy says the client used. It only decides about a redirect to HTTPS: a client that lies spares
 * itself the redirect.
 */
const forwardedProtocol = ({ 'x-forwarded-proto': forwarded }: RequestHeaders): string | undefined =>
  typeof forwarded === 'string' ? forwarded.split(',', 1)[0]?.trim() : undefined;

/** The errors that the parsers of Node.js throw. */
const bodyFault = (status: number, type: string, cause?: unknown): Error =>
  Object.assign(new Error(`the body cannot be read: ${type}`, { cause }), { status, type });
