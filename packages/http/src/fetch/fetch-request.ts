import type { HttpRequest, RequestHeaders } from '../exchange/http-request.js';

/** Bytes that are read of a body that is not needed. A client that sends more loses its connection. */
const DISCARD_LIMIT = 10 * 1024 * 1024;

/** The parts of a request of the Fetch API that depend on where the handler is mounted. */
interface Located extends Pick<HttpRequest, 'path' | 'query' | 'mountPath' | 'address'> {
  /** True if a trusted proxy is in front. */
  isProxied: boolean;
}

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
  #gone: AbortController | undefined;
  #signal: AbortSignal | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #isRead = false;

  constructor(request: Request, { path, query, mountPath, address, isProxied }: Located) {
    this.source = request;
    this.path = path;
    this.query = query;
    this.mountPath = mountPath;
    this.address = address;
    this.headers = Object.fromEntries(request.headers);
    this.isSecure =
      request.url.startsWith('https:') || (isProxied && forwardedProtocol(this.headers) === 'https');
  }

  /** Made when it is asked for: hardly any route waits, and hosts make theirs as late. */
  get signal(): AbortSignal {
    this.#gone ??= new AbortController();
    this.#signal ??= AbortSignal.any([this.source.signal, this.#gone.signal]);
    return this.#signal;
  }

  /** Notifies those who wait that the client no longer reads the response. */
  abort(): void {
    this.#gone ??= new AbortController();
    this.#gone.abort();
  }

  get method(): string {
    return this.source.method;
  }

  /** The host has opened the connection; proxies mark what they forward by headers. */
  get peerAddress(): string | undefined {
    return this.address;
  }

  /**
   * RFC 9112 section 6.3, as on Node.js. A request without either header, of HTTP/2 or made in this process, has a type. `body` is
   * read last, because some hosts start to read from the connection then.
   */
  get hasBody(): boolean {
    const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type } = this.headers;
    if (length !== undefined || encoding !== undefined) return true;
    return type !== undefined && this.source.body !== null;
  }

  /** The Fetch API joins the values of a header, so a second one makes the first one invalid. */
  valuesOf(name: string): readonly string[] {
    const value = this.headers[name];
    return typeof value === 'string' ? [value] : [];
  }

  async readBytes(limit: number): Promise<Uint8Array | undefined> {
    const parts: Uint8Array[] = [];
    let length = 0;
    for (let part = await this.#nextPart(); part; part = await this.#nextPart()) {
      length += part.length;
      if (length > limit) throw bodyFault(413, 'entity.too.large');
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  /**
   * Reads what is left of the body, which the service does not need. Otherwise the next request on the connection would wait behind
   * it, or the host would close the connection, and with it a response that has not arrived.
   */
  async discardBody(): Promise<void> {
    if (this.#isRead || !this.hasBody || this.headers['content-length'] === '0') return;
    try {
      let length = 0;
      for (let part = await this.#nextPart(); part; part = await this.#nextPart()) {
        length += part.length;
        if (length > DISCARD_LIMIT) await this.#reader?.cancel();
      }
    } catch {
      // The client is gone, or the host reads the body itself.
    }
  }

  async #nextPart(): Promise<Uint8Array | undefined> {
    try {
      this.#reader ??= this.source.body?.getReader();
      const read = await this.#reader?.read();
      this.#isRead = read?.done !== false;
      return read?.value;
    } catch (error) {
      this.#isRead = true;
      throw bodyFault(400, 'request.aborted', error);
    }
  }
}

/** Returns the protocol that a proxy says the client used. */
const forwardedProtocol = ({ 'x-forwarded-proto': forwarded }: RequestHeaders): string | undefined =>
  typeof forwarded === 'string' ? forwarded.split(',', 1)[0]?.trim() : undefined;

/** The errors that the parsers of Node.js throw. */
const bodyFault = (status: number, type: string, cause?: unknown): Error =>
  Object.assign(new Error(`the body cannot be read: ${type}`, { cause }), { status, type });
