import type { IncomingMessage, ServerResponse } from 'node:http';
import getRawBody from 'raw-body';
import { AuthError } from '@latchkey/core';
import type { HttpRequest, RequestHeaders } from '../exchange/http-request.js';

/** The default limit of Node in entries of `rawHeaders`: names and values of a thousand headers. */
const DEFAULT_ENTRIES = 2_000;

/**
 * Returns the fault of a request of which Node may have dropped headers: it does so silently beyond `maxHeadersCount`, which
 * could hide a second `Authorization`. Zero means that it drops none.
 */
function headerFaultOf(request: IncomingMessage): AuthError | undefined {
  // Requests of tests have neither.
  const { rawHeaders = [], socket } = request as Partial<IncomingMessage>;
  const limit = socket ? limitOf(socket) : 0;
  return limit > 0 && rawHeaders.length >= limit
    ? AuthError.validation('header: too many headers')
    : undefined;
}

/** Returns the limit of the server that accepted a connection, which only the socket knows. */
function limitOf(socket: object): number {
  const server: unknown = Reflect.get(socket, 'server');
  if (typeof server !== 'object' || server === null) return DEFAULT_ENTRIES;
  const count: unknown = Reflect.get(server, 'maxHeadersCount');
  return typeof count === 'number' ? count * 2 : DEFAULT_ENTRIES;
}

/** The decisions of a host on Node.js about its requests: which proxies it trusts. */
export interface NodeHost {
  addressOf(request: IncomingMessage): string | undefined;
  isSecure(request: IncomingMessage): boolean;
}

/** The place of a request within its host. */
interface PassedOn {
  /** Path and query below the mount path. */
  target: string;
  /** Defaults to the root. */
  mountPath?: string | undefined;
  parsedBody?: unknown;
}

/** A request of Node.js, as the service reads it. */
export class NodeRequest implements HttpRequest {
  readonly source: IncomingMessage;
  readonly path: string;
  readonly query: string;
  readonly mountPath: string;
  readonly parsedBody: unknown;
  readonly #response: ServerResponse | undefined;
  readonly #host: NodeHost;
  #gone: AbortController | undefined;

  constructor(
    host: NodeHost,
    request: IncomingMessage,
    response: ServerResponse | undefined,
    { target, mountPath = '', parsedBody }: PassedOn,
  ) {
    this.source = request;
    this.#host = host;
    this.#response = response;
    this.mountPath = mountPath;
    this.parsedBody = parsedBody;
    [this.path, this.query] = splitTarget(target);
  }

  get method(): string {
    return this.source.method ?? '';
  }

  get isSecure(): boolean {
    return this.#host.isSecure(this.source);
  }

  get address(): string | undefined {
    return this.#host.addressOf(this.source);
  }

  get peerAddress(): string | undefined {
    return (this.source as Partial<IncomingMessage>).socket?.remoteAddress;
  }

  get headers(): RequestHeaders {
    return this.source.headers;
  }

  get headerFault(): AuthError | undefined {
    return headerFaultOf(this.source);
  }

  /** RFC 9112 section 6.3: a body has a length or is chunked. */
  get hasBody(): boolean {
    const { headers } = this.source;
    return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
  }

  valuesOf(name: string): readonly string[] {
    const { headerFault } = this;
    if (headerFault) throw headerFault;
    const { headersDistinct, headers } = this.source as Partial<IncomingMessage>;
    return headersDistinct?.[name] ?? [headers?.[name] ?? []].flat();
  }

  async readBytes(limit: number): Promise<Uint8Array | undefined> {
    if (this.source.readableEnded) return undefined;
    try {
      return await getRawBody(this.source, { limit, length: this.source.headers['content-length'] ?? null });
    } finally {
      // `raw-body` pauses what it refuses, and the next request on the connection would wait behind it.
      this.source.resume();
    }
  }

  get signal(): AbortSignal {
    if (this.#gone) return this.#gone.signal;
    const gone = new AbortController();
    this.#gone = gone;
    if (this.#response?.destroyed) gone.abort();
    else this.#response?.once('close', () => gone.abort());
    return gone.signal;
  }
}

/** Returns path and query of a request target (RFC 9112 section 3.2), each as sent. A fragment is no part of either. */
function splitTarget(target: string): [path: string, query: string] {
  const whole = target.startsWith('/') ? target : withoutOrigin(target);
  const end = whole.indexOf('#');
  const text = end < 0 ? whole : whole.slice(0, end);
  const start = text.indexOf('?');
  return start < 0 ? [text, ''] : [text.slice(0, start), text.slice(start + 1)];
}

/** Returns what follows the host in a target in absolute form, which proxies send; any other target unchanged. */
const withoutOrigin = (target: string): string => target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
