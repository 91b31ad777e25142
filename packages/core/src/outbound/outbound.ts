import {
  Agent as HttpAgent,
  request as requestByHttp,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https';
import { isIP } from 'node:net';
import { isAllowedAddress, isLoopbackAddress, type OutboundAllowance } from './address-rule.js';
import { addressesOfHost } from './host-addresses.js';
import { jsonDepth } from './json-depth.js';
import { OutboundError } from './outbound-error.js';
import { OutboundSlots } from './outbound-slots.js';
import { checkUrl, hostOf, type UrlRules } from './outbound-url.js';

/** The limits by purpose: the time that a request may take as a whole, and the bytes of its response that are read. */
const PURPOSES = {
  metadata: { timeoutMs: 3_000, mostBytes: 64 * 1024, isBackground: false },
  clientMetadata: { timeoutMs: 3_000, mostBytes: 5 * 1024, isBackground: false },
  samlMetadata: { timeoutMs: 3_000, mostBytes: 256 * 1024, isBackground: false },
  webhook: { timeoutMs: 15_000, mostBytes: 1024, isBackground: true },
} as const;

export interface OutboundOptions extends UrlRules {
  readonly allowed: OutboundAllowance;
  /** Returns every address of a name. Defaults to `addressesOfHost`. */
  readonly resolve?: ((name: string) => Promise<string[]>) | undefined;
  /** Servers of DNS as `address:port`. Defaults to those of the operating system. */
  readonly dnsServers?: readonly string[] | undefined;
  /** Certificates of authorities beside those that Node.js trusts, as PEM. */
  readonly ca?: string | undefined;
}

interface OutboundRequest {
  readonly url: string;
  readonly purpose: keyof typeof PURPOSES;
  /** Defaults to GET; POST if there is a body. */
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

interface OutboundResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** At most as many bytes as the purpose allows. */
  readonly body: Buffer;
}

const CONNECT_MS = 2_000;
const JSON_DEPTH = 20;

/**
 * The only way to addresses that users chose, such as those of webhooks. Every name is resolved
 * here, for each request anew, every address of it must be on the public internet, and the connection goes to one of these
 * addresses: nothing can change between check and use. Redirects are not followed, and no proxy is used.
 */
export class Outbound {
  readonly #options: OutboundOptions;
  readonly #slots = new OutboundSlots();
  /** Connections are not kept: the next request resolves its name anew. */
  readonly #agents: { http: HttpAgent; https: HttpsAgent };

  constructor(options: OutboundOptions) {
    this.#options = options;
    this.#agents = {
      http: new HttpAgent({ keepAlive: false }),
      https: new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 }),
    };
  }

  /**
   * Resolves the host of a URL and checks it, without a connection, for addresses that are entered now and used later.
   * @throws OutboundError `refused`, which names the rule; `timeout` if the name is not resolved in time.
   */
  async check(url: string): Promise<void> {
    await withinTime(this.#addressesOf(checkUrl(url, this.#options)), CONNECT_MS);
  }

  /**
   * Sends one request. A status that is not 2xx is a response like any other.
   * @throws OutboundError for everything but a response.
   */
  async request(request: OutboundRequest): Promise<OutboundResponse> {
    const { timeoutMs, isBackground } = PURPOSES[request.purpose];
    const url = checkUrl(request.url, this.#options);
    const deadline = Date.now() + timeoutMs;
    const release = await this.#slots.take(hostOf(url), isBackground, timeoutMs);
    try {
      const addresses = await withinTime(
        this.#addressesOf(url),
        Math.min(CONNECT_MS, Math.max(1, deadline - Date.now())),
      );
      return await this.#send(url, addresses, { ...request, deadline });
    } finally {
      release();
    }
  }

  /**
   * Returns the JSON of a 200 response. @throws OutboundError, `response` for anything but JSON of at most 20 levels.
   */
  async json(request: OutboundRequest): Promise<unknown> {
    const { status, body } = await this.request({
      ...request,
      headers: { accept: 'application/json', ...request.headers },
    });
    if (status !== 200)
      throw new OutboundError('response', `was answered with status ${status} instead of 200`);
    const text = body.toString();
    if (jsonDepth(text) > JSON_DEPTH)
      throw new OutboundError('response', 'was answered with JSON that is too deep');
    try {
      return JSON.parse(text);
    } catch {
      throw new OutboundError('response', 'was not answered with JSON');
    }
  }

  /** Returns the addresses of a host, if all of them are allowed. */
  async #addressesOf(url: URL): Promise<string[]> {
    const { allowed, allowLoopback } = this.#options;
    const name = hostOf(url);
    const addresses = isIP(name) === 0 ? await this.#resolve(name) : [name];
    if (addresses.length === 0) throw new OutboundError('refused', 'name');
    const isAllowed = (address: string): boolean =>
      (allowLoopback && isLoopbackAddress(address)) || isAllowedAddress(address, name, allowed);
    if (!addresses.every(isAllowed)) throw new OutboundError('refused', 'address');
    if (url.protocol === 'http:' && !addresses.every(isLoopbackAddress))
      throw new OutboundError('refused', 'scheme');
    return addresses;
  }

  /** A failure of the resolver, other than its silence, is a name without an address. */
  async #resolve(name: string): Promise<string[]> {
    const { resolve, allowed, dnsServers } = this.#options;
    try {
      return await (resolve?.(name) ?? addressesOfHost(name, { known: allowed.names, dnsServers }));
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      return [];
    }
  }

  #send(
    url: URL,
    addresses: readonly string[],
    { purpose, body, headers = {}, deadline }: OutboundRequest & { deadline: number },
  ): Promise<OutboundResponse> {
    const isSecure = url.protocol === 'https:';
    const name = hostOf(url);
    const options: RequestOptions & { servername?: string; ca?: string } = {
      method: body === undefined ? 'GET' : 'POST',
      agent: isSecure ? this.#agents.https : this.#agents.http,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'Latchkey', ...lengthOf(body), ...headers },
      lookup: lookupOf(addresses),
      ...(isSecure && isIP(name) === 0 && { servername: name }),
      ...(this.#options.ca !== undefined && { ca: this.#options.ca }),
    };
    return new Promise((resolve, reject) => {
      const request = (isSecure ? requestByHttps : requestByHttp)(url, options);
      const fail = (error: Error): void => {
        stop();
        request.destroy();
        reject(error instanceof OutboundError ? error : failureOf(error));
      };
      const connecting = setTimeout(
        () => fail(slow('did not accept a connection within 2 seconds')),
        CONNECT_MS,
      );
      const whole = setTimeout(
        () => fail(slow('did not answer in time')),
        Math.max(1, deadline - Date.now()),
      );
      const stop = (): void => {
        clearTimeout(connecting);
        clearTimeout(whole);
      };
      request.once('socket', (socket) =>
        socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(connecting)),
      );
      request.once('error', fail);
      request.once('response', (response) => {
        clearTimeout(connecting);
        readResponse(response, purpose).then((result) => {
          stop();
          request.destroy();
          resolve(result);
        }, fail);
      });
      request.end(body);
    });
  }
}

/** Reads the response. That of a webhook counts by its status alone, so its body is cut; others must be complete. */
async function readResponse(
  response: IncomingMessage,
  purpose: keyof typeof PURPOSES,
): Promise<OutboundResponse> {
  const { mostBytes } = PURPOSES[purpose];
  const { statusCode: status = 0, headers } = response;
  const encoding = headers['content-encoding'] ?? 'identity';
  const isCut = purpose === 'webhook';
  if (isCut && encoding !== 'identity') return { status, headers, body: Buffer.alloc(0) };
  if (encoding !== 'identity') throw new OutboundError('response', 'was answered with a compressed response');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes <= mostBytes) continue;
    if (!isCut) throw new OutboundError('response', `was answered with more than ${mostBytes} bytes`);
    break;
  }
  return { status, headers, body: Buffer.concat(chunks).subarray(0, mostBytes) };
}

/** Returns the `lookup` of a connection: the addresses that were checked, whatever the name resolves to by now. */
function lookupOf(addresses: readonly string[]): NonNullable<RequestOptions['lookup']> {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first] = found;
  return (_name, options, callback) => {
    if (options.all === true) callback(null, found);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };
}

const lengthOf = (body: string | undefined): Record<string, string> =>
  body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };

const slow = (message: string): OutboundError => new OutboundError('timeout', message);

async function withinTime<Value>(work: Promise<Value>, ms: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(slow('has a host name that was not resolved in time')), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

const TLS_CODE =
  /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO|INVALID_CA|CRL_)/;

function failureOf(error: Error): OutboundError {
  const code = 'code' in error ? String(error.code) : '';
  if (TLS_CODE.test(code)) return new OutboundError('tls', 'has no certificate that is valid for its name');
  return new OutboundError('connection', 'could not be reached');
}
