import type { IncomingMessage } from 'node:http';
import type { HttpRequest } from '../exchange/http-request.js';
import { nodeHost } from '../node/node-host.js';
import { NodeRequest } from '../node/node-request.js';
import type { ClientAddress } from './client-address.js';
import { FetchRequest } from './fetch-request.js';

/** A request of the Fetch API or of Node.js, also as tests make them. */
export type GuardedRequest = Request | IncomingMessage;

const NO_PROXIES = nodeHost(undefined);

/** Returns a request of a host app as guards read it. @throws TypeError for what is not a request. */
export function guardedRequest(request: GuardedRequest, clientAddress: ClientAddress): HttpRequest {
  assertIsRequest(request);
  if (!isFetchRequest(request)) {
    return new NodeRequest(NO_PROXIES, request, undefined, { target: request.url ?? '/' });
  }
  const { pathname: path, search } = new URL(request.url);
  const address = clientAddress(request, undefined) ?? undefined;
  const located = { path, query: search.slice(1), mountPath: '', address, isProxied: false };
  return new FetchRequest(request, located);
}

const isFetchRequest = (request: GuardedRequest): request is Request =>
  typeof (request as Request).headers.get === 'function';

function assertIsRequest(request: unknown): void {
  const headers = (request as { headers?: unknown } | null | undefined)?.headers;
  if (typeof headers === 'object' && headers !== null) return;
  throw new TypeError(
    'guards take a request of the Fetch API or of Node.js. Write: await guards.check(request)',
  );
}
