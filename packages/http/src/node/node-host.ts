import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import proxyAddr from 'proxy-addr';
import { withoutPorts } from '../exchange/forwarded-for.js';
import type { NodeHost } from './node-request.js';

type Trust = (address: string, hop: number) => boolean;

/**
 * Returns a host that trusts these proxies: a number of hops, or addresses and networks in CIDR notation.
 * @param trustProxy undefined trusts none, so forwarded headers do not count.
 */
export function nodeHost(trustProxy: number | readonly string[] | undefined): NodeHost {
  const trust = trustOf(trustProxy);
  return {
    addressOf: (request) => addressOf(request, trust),
    isSecure: (request) => isSecure(request, trust),
  };
}

function trustOf(trustProxy: number | readonly string[] | undefined): Trust | undefined {
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  return trustProxy && proxyAddr.compile([...trustProxy]);
}

/** Some proxies forward the port of the client with its address, which would not be recognized as one. */
function addressOf(request: IncomingMessage, trust: Trust | undefined): string | undefined {
  const { 'x-forwarded-for': forwardedFor } = request.headers;
  if (!trust || typeof forwardedFor !== 'string') return request.socket.remoteAddress;
  const headers = { 'x-forwarded-for': withoutPorts(forwardedFor) };
  return proxyAddr({ headers, socket: request.socket } as unknown as IncomingMessage, trust);
}

/** The proxy nearest to the client says first which protocol it was asked with. */
function isSecure({ socket, headers }: IncomingMessage, trust: Trust | undefined): boolean {
  if (socket instanceof TLSSocket) return true;
  const { 'x-forwarded-proto': forwarded } = headers;
  if (typeof forwarded !== 'string' || !trust?.(socket.remoteAddress ?? '', 0)) return false;
  return forwarded.split(',', 1)[0]?.trim() === 'https';
}
