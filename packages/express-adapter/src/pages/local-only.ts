import { BlockList, isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Headers by which a proxy on this machine marks a forwarded request. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Allows requests from this machine only; for all others the path does not exist. The address of the socket decides,
 * whatever the app trusts; forwarded requests are rejected. The name in `Host` must be a local one: a web page could point
 * its own name at this machine (DNS rebinding), and a request to the public name comes through a proxy that may add no
 * header. The configured public address is no exception.
 */
export const localOnly: RequestHandler = (request, _response, next) => {
  if (isLocal(request)) next();
  else next('router');
};

/** Reports whether a request comes from this machine, under a local name and through no proxy. */
export function isLocal(request: Request): boolean {
  const isForwarded = FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined);
  return !isForwarded && isLoopback(request.socket.remoteAddress ?? '') && isLocalName(request);
}

function isLocalName({ headers: { host = '' } }: Request): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name.replace(/^\[(.*)\]$/, '$1'));
}

function isLoopback(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && LOOPBACK.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
