import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import {
  type NodeHost,
  NodeRequest,
  REQUEST_ID_HEADER,
  adoptRequestId,
  requestIdOf,
  withoutPorts,
} from '@latchkey/http/internal';

/** A request of Express, or of a framework that adds less to those of Node.js. */
type AnyRequest = IncomingMessage & Partial<Pick<Request, 'ip' | 'baseUrl' | 'secure'>> & { body?: unknown };

/**
 * Returns a request of Express for the service. Its address is `req.ip`, so the app's `trust proxy` decides which forwarded
 * headers count. A request id that the app has set as a header of the response is used.
 */
export function expressRequest(request: AnyRequest, response: ServerResponse): NodeRequest {
  const given = response.getHeader(REQUEST_ID_HEADER);
  if (typeof given === 'string') adoptRequestId({ source: request }, given);
  return nodeRequest(request, response);
}

/** Does the same where there is no response: a WebSocket, a subscription. */
export const detachedRequest = (request: AnyRequest): NodeRequest => nodeRequest(request, undefined);

const nodeRequest = (request: AnyRequest, response: ServerResponse | undefined): NodeRequest =>
  new NodeRequest(EXPRESS, request, response, {
    target: request.url ?? '/',
    mountPath: request.baseUrl,
    parsedBody: request.body,
  });

const EXPRESS: NodeHost = {
  addressOf: (request: AnyRequest) => forwardedAddress(request),
  isSecure: (request: AnyRequest) => request.secure ?? false,
};

/**
 * Returns `req.ip` as Express would find it had no proxy forwarded a port: with one, Express does not recognize the address of a
 * trusted proxy and takes it for the client.
 */
function forwardedAddress(request: AnyRequest): string | undefined {
  const forwardedFor = request.headers['x-forwarded-for'];
  if (typeof forwardedFor !== 'string' || !forwardedFor.includes(':')) return request.ip;
  const headers = { ...request.headers, 'x-forwarded-for': withoutPorts(forwardedFor) };
  const seen: unknown = Object.create(request, { headers: { value: headers } });
  const address: unknown = Reflect.get(request, 'ip', seen);
  return typeof address === 'string' ? address : undefined;
}

/**
 * Returns the id of a request for its log lines and audit entries: the caller's `X-Request-Id` if it is well-formed,
 * otherwise a new one. Sets the header of the response. Repeated calls return the same id.
 * @example
 * ```ts
 * app.use((request, response, next) => {
 *   console.info(assignRequestId(request, response), request.method, request.url);
 *   next();
 * });
 * ```
 */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): string {
  const assigned = response.getHeader(REQUEST_ID_HEADER);
  if (typeof assigned === 'string') return assigned;
  const id = requestIdOf({ source: request, headers: request.headers });
  response.setHeader(REQUEST_ID_HEADER, id);
  return id;
}
