import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KeySet } from '@latchkey/core/keys';
import { testKeys, type TestKeyPair } from '../test-keys.js';
import { FeedEntries } from './feed-entries.js';

export const FEED_KEY = 'internal-key-of-the-feed';
export const FEED_CLIENT = { clientId: 'reports', clientSecret: 'the secret of the client' };

type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => void | Promise<void>;

/** A service as far as a verifier sees it: key set, service tokens, `/auth/me` and the revocation feed. */
export class FeedService {
  readonly entries = new FeedEntries();
  /** Paths of all requests, in their order, with `stream` or `poll` before those of the feed. */
  readonly requests: string[] = [];
  heartbeatMs = 200;
  /** True: streams are accepted, and nothing of them is sent on. */
  buffersStreams = false;
  /** A status for all requests of the feed. */
  feedStatus: number | undefined;
  /** A body for all requests of the key set. */
  keySetBody: string | undefined;
  /** The answer of `/auth/me`. */
  profile: { status: number; body: unknown } = { status: 404, body: {} };
  serviceTokenSeconds = 600;
  /** Called with the seconds for which a poll waits for entries; true answers it at once. */
  onWait: (seconds: number) => boolean = () => false;
  keyPairs: TestKeyPair[] = [testKeys()];
  readonly #times: number[] = [];
  readonly #server: Server;
  readonly #streams = new Set<ServerResponse>();
  #issued = 0;
  #accepted = new Set<string>();
  #port = 0;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<FeedService> {
    const service = new FeedService();
    await service.listen();
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  /** Listens, after a stop on the same port. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  revokeSession(sid: string): void {
    this.entries.add({ type: 'session-revoked', sid });
  }

  outdateTokens(sub: string, minTokenVersion: number): void {
    this.entries.add({ type: 'token-claims-change', sub, minTokenVersion });
  }

  /** Ends all streams, as a service does that stops. */
  endStreams(): void {
    for (const stream of this.#streams) stream.end();
    this.entries.wakeAll();
  }

  /** Rejects all service tokens issued so far. */
  rejectServiceTokens(): void {
    this.#accepted = new Set();
    this.endStreams();
  }

  count(kind: string): number {
    return this.requests.filter((path) => path.startsWith(kind)).length;
  }

  /** Milliseconds of the monotonic clock at which these requests came. */
  timesOf(kind: string): number[] {
    return this.#times.filter((_time, index) => this.requests[index]?.startsWith(kind));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const handlers: Record<string, Handler> = {
      '/.well-known/jwks.json': this.#keySet,
      '/auth/service-token': this.#serviceToken,
      '/auth/me': (_request, reply) => {
        send(reply, this.profile.status, this.profile.body);
      },
      '/internal/revocations': this.#feed,
    };
    const isFeed = url.pathname === '/internal/revocations';
    const prefix = !isFeed ? '' : request.headers.accept === 'text/event-stream' ? 'stream ' : 'poll ';
    this.requests.push(prefix + url.pathname);
    this.#times.push(performance.now());
    await handlers[url.pathname]?.(request, response, url);
    if (!handlers[url.pathname]) send(response, 404, refusal('not_found'));
  }

  readonly #keySet: Handler = async (_request, response) => {
    const keys = await Promise.all(this.keyPairs.map(({ privateKeyPem }) => KeySet.fromPem(privateKeyPem)));
    const body = this.keySetBody ?? JSON.stringify({ keys: keys.flatMap((each) => each.toJwks().keys) });
    response.setHeader('content-type', 'application/json');
    response.end(body);
  };

  readonly #serviceToken: Handler = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const input = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    if (input.clientId !== FEED_CLIENT.clientId || input.clientSecret !== FEED_CLIENT.clientSecret) {
      send(response, 401, refusal('unauthorized'));
      return;
    }
    const serviceToken = `service-token-${++this.#issued}`;
    this.#accepted.add(serviceToken);
    const data = {
      serviceToken,
      tokenType: 'Service',
      expiresIn: this.serviceTokenSeconds,
      scope: input.scope,
    };
    send(response, 200, { success: true, data });
  };

  readonly #feed: Handler = (request, response, url) => {
    const last = request.headers['last-event-id'];
    const cursor =
      (typeof last === 'string' ? last : undefined) ?? url.searchParams.get('after') ?? undefined;
    const status = this.#feedStatusFor(request, cursor);
    if (status !== 200) {
      send(response, status, refusal(CODES[status] ?? 'internal_error'));
      return;
    }
    if (request.headers.accept === 'text/event-stream') this.#stream(response, cursor);
    else void this.#poll(response, cursor, Number(url.searchParams.get('wait') ?? 0));
  };

  #feedStatusFor({ headers }: IncomingMessage, cursor: string | undefined): number {
    const isMachine = headers['x-internal-api-key'] === FEED_KEY;
    const token = headers['x-service-token'];
    if (!isMachine && !this.#accepted.has(String(token))) return token === undefined ? 403 : 401;
    if (this.feedStatus !== undefined) return this.feedStatus;
    return this.entries.after(cursor) === undefined ? 410 : 200;
  }

  #stream(response: ServerResponse, from: string | undefined): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    if (this.buffersStreams) return;
    let cursor = from;
    const write = (event: string, entries?: unknown[]): void => {
      if (response.writableEnded) return;
      cursor = this.entries.cursor;
      response.write(
        `event: ${event}\nid: ${cursor}\ndata: ${JSON.stringify(entries ? { entries } : {})}\n\n`,
      );
    };
    write(from === undefined ? 'snapshot' : 'revocations', this.entries.after(from) ?? []);
    const stopListening = this.entries.onAdded(() => write('revocations', this.entries.after(cursor) ?? []));
    const timer = setInterval(() => write('heartbeat'), this.heartbeatMs);
    this.#streams.add(response);
    response.on('close', () => {
      clearInterval(timer);
      stopListening();
      this.#streams.delete(response);
    });
  }

  async #poll(response: ServerResponse, cursor: string | undefined, waitSeconds: number): Promise<void> {
    if (cursor !== undefined && this.entries.after(cursor)?.length === 0) await this.#added(waitSeconds);
    const entries = this.entries.after(cursor) ?? [];
    send(response, 200, { success: true, data: { cursor: this.entries.cursor, entries } });
  }

  #added(waitSeconds: number): Promise<void> {
    if (waitSeconds > 0 && this.onWait(waitSeconds)) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        stopListening();
        clearTimeout(timer);
        resolve();
      };
      const stopListening = this.entries.onAdded(end);
      const timer = setTimeout(end, waitSeconds * 1000);
    });
  }
}

const CODES: Record<number, string> = {
  401: 'unauthorized',
  403: 'forbidden',
  410: 'gone',
  503: 'service_unavailable',
};

const refusal = (code: string): object => ({ success: false, error: { code, message: code } });

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
