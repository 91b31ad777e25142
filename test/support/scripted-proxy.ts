import {
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A deviation from forwarding. `lose`: the service handles the request, and its response never arrives. `refuse`: the
 * connection is closed before the service sees anything. A status is answered by the proxy itself.
 */
type Deviation = 'lose' | 'refuse' | { status: number; retryAfter?: number };

/** Decides about a request, by `POST /auth/refresh` and the number of such requests before it. */
export type Script = (route: string, earlier: number) => Deviation | undefined;

/** Stays between a client and the service, records every request and deviates as a test asks. */
export class ScriptedProxy {
  /** Every request so far, as `POST /auth/refresh`. */
  readonly requests: string[] = [];
  readonly url: string;
  readonly #server: Server;
  #script: Script = () => undefined;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://localhost:${(server.address() as AddressInfo).port}`;
  }

  /** @param target address of the service. */
  static async start(target: string): Promise<ScriptedProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const proxy = new ScriptedProxy(server);
    server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      proxy.#handle(target, incoming, outgoing);
    });
    return proxy;
  }

  /** Deviates from now on. Preflights are always forwarded. */
  follow(script: Script): void {
    this.#script = script;
  }

  /** Returns the number of requests to a route so far. */
  count(route: string): number {
    return this.requests.filter((each) => each === route).length;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #handle(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
    const route = `${incoming.method ?? ''} ${new URL(incoming.url ?? '', target).pathname}`;
    const deviation = incoming.method === 'OPTIONS' ? undefined : this.#script(route, this.count(route));
    this.requests.push(route);
    if (deviation === 'refuse') incoming.socket.destroy();
    else if (typeof deviation === 'object') answer(incoming, outgoing, deviation);
    else
      forward(target, incoming, (reply) => {
        if (deviation === 'lose') {
          incoming.socket.destroy();
          return;
        }
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(outgoing);
      });
  }
}

function forward(target: string, incoming: IncomingMessage, reply: (reply: IncomingMessage) => void): void {
  const { method, headers, url = '/' } = incoming;
  const outgoing = send(target + url, { method: method ?? 'GET', headers }, reply);
  outgoing.on('error', () => incoming.socket.destroy());
  incoming.pipe(outgoing);
}

/** As the service would: readable by pages of every origin. */
function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, retryAfter }: Exclude<Deviation, string>,
): void {
  incoming.resume();
  const code = status === 429 ? 'rate_limited' : 'service_unavailable';
  outgoing.writeHead(status, {
    'content-type': 'application/problem+json',
    'access-control-allow-origin': incoming.headers.origin ?? '*',
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'Retry-After',
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  });
  outgoing.end(
    JSON.stringify({ type: 'about:blank', title: code, status, detail: 'Wait.', code, reason: code }),
  );
}
