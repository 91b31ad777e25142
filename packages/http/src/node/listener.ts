import type { RequestListener, ServerResponse } from 'node:http';
import type { HttpRequest } from '../exchange/http-request.js';
import type { HttpResponse } from '../exchange/http-response.js';
import { nodeHost } from './node-host.js';
import { NodeRequest } from './node-request.js';
import { sendResponse } from './send-response.js';

/** Options of a server that serves nothing else. */
interface ListenerOptions {
  /** The proxies that are trusted: hops, or addresses and networks. Undefined trusts none. */
  trustProxy: number | readonly string[] | undefined;
  /** Sees every request before it is served. */
  log?: (request: HttpRequest, response: ServerResponse) => void;
}

/** Returns the listener of a server of Node.js that only serves this. */
export function listenerOf(
  handle: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>,
  { trustProxy, log }: ListenerOptions,
): RequestListener {
  const host = nodeHost(trustProxy);
  return (incoming, outgoing) => {
    const request = new NodeRequest(host, incoming, outgoing, { target: incoming.url ?? '/' });
    log?.(request, outgoing);
    void Promise.resolve(handle(request)).then((response) => sendResponse(outgoing, response));
  };
}
