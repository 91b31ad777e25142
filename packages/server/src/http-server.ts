import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { OpenAnswers } from './open-answers.js';

/** Milliseconds a client has for its headers, and for its whole request: nobody holds a socket open for nothing. */
const HEADERS_TIMEOUT = 5_000;
const REQUEST_TIMEOUT = 10_000;
/** Longer than the idle timeout of common load balancers (60 s), so that they close first, not we. */
const KEEP_ALIVE_TIMEOUT = 65_000;
const TIMEOUT_CHECK_INTERVAL = 1_000;

/** An HTTP server whose answers to unreadable requests are JSON too. */
export function createHttpServer(listener: RequestListener): Server {
  const answers = new OpenAnswers();
  const serve = answers.track(demandHost(listener));
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT,
      requestTimeout: REQUEST_TIMEOUT,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL,
      // Checked below: Node's own refusal has no body.
      requireHostHeader: false,
    },
    serve,
  );
  // Node would drop what comes after the thousandth without a word, a second Authorization with it. The size of all of
  // them, 16 KiB, is the limit.
  server.maxHeadersCount = 0;
  server.on('clientError', (error, socket) => answerClientError(error, socket, answers));
  // An expectation we do not know may be passed over (RFC 9110 section 10.1.1); Node would refuse it without a body.
  server.on('checkExpectation', serve);
  return server;
}

/** Resolves with the port once connections are accepted. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** RFC 9112 section 3.2: a request of HTTP/1.1 names the host. */
const demandHost =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion === '1.0') listener(request, response);
    else {
      const body = refusalBody(400);
      response.writeHead(400, headersOf(body)).end(body);
    }
  };

const STATUS_OF_PARSER_ERROR: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * What Node's parser refuses never reaches the app; it gets the same envelope all the same, unless it follows a request
 * whose answer is due: then the connection is closed after that, since the client would take ours for it.
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

const reasonOf = (status: number): string => STATUS_CODES[status] ?? 'Bad Request';

function refusalBody(status: number): string {
  const message = `The request cannot be read: ${reasonOf(status)}.`;
  return JSON.stringify({ success: false, error: { code: 'validation_error', message } });
}

/** A whole answer to a request that never became one, after which the connection is closed. */
function unreadable(status: number): string {
  const body = refusalBody(status);
  const head = [
    `HTTP/1.1 ${status} ${reasonOf(status)}`,
    ...Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
