import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';
import { withoutPorts } from '../exchange/forwarded-for.js';

/**
 * Returns the address of the client of a request, or null if it is not known.
 * @param info what the host passes to the handler beside the request.
 */
export type ClientAddress<Info = unknown> = (request: Request, info: Info) => string | null | undefined;

/**
 * Returns what reads the address from `X-Forwarded-For`, for hosts that only proxies reach. It counts from the right, since a
 * client can send the header too.
 * @param options `trustProxy`: the number of proxies in front, at least 1, or their addresses and networks in CIDR notation.
 * @throws TypeError for anything else.
 * @example
 * ```ts
 * const addressOf = fromForwarded({ trustProxy: 1 });
 * const headers = { 'x-forwarded-for': '203.0.113.9, 192.0.2.1' };
 * addressOf(new Request('http://localhost', { headers })); // → '192.0.2.1'
 * ```
 */
export function fromForwarded({
  trustProxy,
}: {
  trustProxy: number | readonly string[];
}): (request: Request) => string | null {
  const trust = trustOf(trustProxy);
  return ({ headers }) => {
    const forwardedFor = headers.get('x-forwarded-for');
    if (forwardedFor === null) return null;
    const seen = { headers: { 'x-forwarded-for': withoutPorts(forwardedFor) }, socket: NEAREST };
    return proxyAddr(seen as unknown as IncomingMessage, (address, hop) => hop === 0 || trust(address, hop));
  };
}

/** The nearest proxy: the Fetch API has no address of the connection. */
const NEAREST = { remoteAddress: '127.0.0.1' };

function trustOf(trustProxy: number | readonly string[]): (address: string, hop: number) => boolean {
  if (Array.isArray(trustProxy)) return proxyAddr.compile([...(trustProxy as readonly string[])]);
  if (Number.isInteger(trustProxy) && (trustProxy as number) > 0)
    return (_address, hop) => hop < (trustProxy as number);
  throw new TypeError(
    'fromForwarded: trustProxy must be the number of proxies in front, or their addresses. ' +
      "Write: fromForwarded({ trustProxy: 1 }) or fromForwarded({ trustProxy: ['10.0.0.0/8'] })",
  );
}

/**
 * Reads the address of the connection from the context of Hono, on Node.js. Requests without a connection, such as those of
 * `app.request` in tests, have none.
 * @example
 * ```ts
 * const context = { env: { incoming: { socket: { remoteAddress: '192.0.2.1' } } } };
 * fromHono(new Request('http://localhost'), context); // → '192.0.2.1'
 * ```
 */
export const fromHono = (_request: Request, context: { env?: unknown }): string | null => {
  const { incoming } = (context.env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  return incoming?.socket?.remoteAddress ?? null;
};

/**
 * Reads the address from a request of Fastify, whose `trustProxy` decides which forwarded headers count.
 * @example
 * ```ts
 * fromFastify(new Request('http://localhost'), { ip: '192.0.2.1' }); // → '192.0.2.1'
 * ```
 */
export const fromFastify = (_request: Request, { ip }: { ip: string }): string => ip;

/**
 * Reads the address of the connection from a request of Node.js.
 * @example
 * ```ts
 * fromNode(new Request('http://localhost'), { socket: { remoteAddress: '192.0.2.1' } }); // → '192.0.2.1'
 * ```
 */
export const fromNode = (
  _request: Request,
  { socket }: { socket: { remoteAddress?: string | undefined } },
): string | null => socket.remoteAddress ?? null;

/**
 * Knows no address, for development: all clients then share the limits of one. `createAuthHandler` refuses it in production.
 * @example
 * ```ts
 * unknownAddress(); // → null
 * ```
 */
export const unknownAddress = (): null => null;
