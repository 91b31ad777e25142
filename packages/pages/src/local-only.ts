import { BlockList, isIP } from 'node:net';
import type { Endpoint, HttpRequest } from '@latchkey/http/internal';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Headers by which a proxy on this machine marks a forwarded request. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Reports whether a request comes from this machine, under a local name and through no proxy. The address of the connection
 * decides, whatever the app trusts. The name in `Host` must be a local one: a web page could point its own name at this machine
 * (DNS rebinding), and a request to the public name comes through a proxy that may add no header. The configured public address
 * is no exception.
 */
export function isLocal(request: HttpRequest): boolean {
  const isForwarded = FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined);
  return !isForwarded && isLoopback(request.peerAddress ?? '') && isLocalName(request.headers.host);
}

/** Returns an endpoint that does not exist for requests from other machines. */
export const localOnly = ({ path, serve }: Endpoint): Endpoint => ({
  path,
  serve: (exchange, params) => (isLocal(exchange.request) ? serve(exchange, params) : undefined),
});

function isLocalName(host: string | string[] = ''): boolean {
  const name = String(host).toLowerCase().replace(/:\d+$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name.replace(/^\[(.*)\]$/, '$1'));
}

function isLoopback(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && LOOPBACK.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
