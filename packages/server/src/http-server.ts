import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { listenFault, type ListenAddress } from './listen-fault.js';

/** Tracks the responses that are due on each connection, in the order of their requests. */
class OpenAnswers {
  readonly #open = new WeakMap<Duplex, Set<ServerResponse>>();

  /** Wraps a listener so that its responses are tracked until they are sent. */
  track(listener: RequestListener): RequestListener {
    return (request, response) => {
      const open = this.#open.get(request.socket) ?? new Set();
      this.#open.set(request.socket, open.add(response));
      response.once('close', () => open.delete(response));
      listener(request, response);
    };
  }

  /**
   * Returns the last response that must be sent before anything else may be written to the connection (RFC
   * 9112 section 9.3.2). A request that was cut off, which can only be the last, is the one that is being
   * rejected.
   */
  lastDue(socket: Duplex): ServerResponse | undefined {
    const open = [...(this.#open.get(socket) ?? [])];
    return open.findLast((answer) => answer.req.complete || answer.headersSent);
  }
}

/** Milliseconds a client has for its headers, and for its whole request, so that no client holds a socket open. */
const HEADERS_TIMEOUT = 5_000;
const REQUEST_TIMEOUT = 10_000;
/** Longer than the idle timeout of common load balancers (60 s), so that they close the connection first. */
const KEEP_ALIVE_TIMEOUT = 65_000;
const TIMEOUT_CHECK_INTERVAL = 1_000;

/** Returns an HTTP server whose responses to unreadable requests are JSON too. */
export function createHttpServer(listener: RequestListener): Server {
  const answers = new OpenAnswers();
  const serve = answers.track(requireHost(listener));
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT,
      requestTimeout: REQUEST_TIMEOUT,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL,
      // Checked below: Node's own rejection has no body.
      requireHostHeader: false,
    },
    serve,
  );
  // Node would silently drop headers after the thousandth, a second Authorization among them. The limit is
  // the size of all headers, 16 KiB.
  server.maxHeadersCount = 0;
  server.on('clientError', (error, socket) => answerClientError(error, socket, answers));
  // An unknown expectation may be ignored (RFC 9110 section 10.1.1); Node would reject it without a body.
  server.on('checkExpectation', serve);
  return server;
}

/**
 * Listens, and resolves with the port once connections are accepted.
 * @throws SettingsError if the system refuses the address.
 */
export function listen(server: Server, address: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(listenFault(error, address));
    server.once('error', onError);
    server.listen(address.port, address.host, () => {
      server.off('error', onError);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Rejects requests without a host, with several or with one that is none (RFC 9112 section 3.2). */
const requireHost =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    if (hasHost(request)) listener(request, response);
    else {
      const body = refusalBody(400);
      response.writeHead(400, headersOf(body)).end(body);
    }
  };

/** A name, an IPv4 address or an IPv6 address in brackets, with or without a port; empty if the client knows none. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._~-]*)(?::(?<port>\d{0,5}))?$/i;
const MAX_PORT = 65_535;

/** Node keeps the first of several hosts, and only `rawHeaders` has all. A request of HTTP/1.0 needs none. */
function hasHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter(
    (_text, index) => rawHeaders[index - 1]?.toLowerCase() === 'host' && index % 2 === 1,
  );
  const [host] = hosts;
  if (host === undefined) return httpVersion === '1.0';
  const match = HOST.exec(host);
  return hosts.length === 1 && match !== null && Number(match.groups?.port ?? 0) <= MAX_PORT;
}

const STATUS_OF_PARSER_ERROR: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers requests that Node's parser rejects, which never reach the app, with the same envelope. If a
 * response to an earlier request is due, the connection is closed after that one instead, since the client
 * would take ours for it.
 */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex, answers: OpenAnswers): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const due = answers.lastDue(socket);
  if (due) {
    due.shouldKeepAlive = false;
    due.once('close', () => socket.end());
    return;
  }
  socket.end(unreadable(STATUS_OF_PARSER_ERROR[error.code ?? ''] ?? 400));
}

const headersOf = (body: string) => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(body),
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  Connection: 'close',
});

const statusText = (status: number): string => STATUS_CODES[status] ?? 'Bad Request';

function refusalBody(status: number): string {
  const message = `The request cannot be read: ${statusText(status)}.`;
  return JSON.stringify({ success: false, error: { code: 'validation_error', message } });
}

/** Returns a complete response to an unreadable request, after which the connection is closed. */
function unreadable(status: number): string {
  const body = refusalBody(status);
  const head = [
    `HTTP/1.1 ${status} ${statusText(status)}`,
    ...Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
