import type { ServerResponse } from 'node:http';
import { addressOf } from '../exchange/client-info.js';
import type { HttpRequest } from '../exchange/http-request.js';
import { factsOf } from '../exchange/request-facts.js';
import { requestIdOf } from '../exchange/request-id.js';

/** An entry of the access log: one response. It contains no query, header or body and therefore no secret. */
export interface AccessLogEntry {
  method: string;
  /** The pattern of the route, `/internal/users/{id}`. Undefined when no route matches. */
  route?: string | undefined;
  /** The path as it was requested, without its query. */
  path: string;
  /** Undefined when the client disconnected before there was a status. */
  status?: number | undefined;
  /** Milliseconds from the arrival of the request until the response was written. */
  durationMs: number;
  /** The address of the client, by what the host trusts of its proxies. */
  address?: string | undefined;
  /** The signed-in user, or the user that the response signs in. Undefined for anonymous callers and machines. */
  userId?: string | undefined;
  sessionId?: string | undefined;
  /** The `X-Request-Id`, as in the audit log. */
  requestId: string;
  /** True when the client disconnected before the response was complete. */
  aborted?: true | undefined;
}

/**
 * Reports the response to a request once it is written, with the route and the caller if they have been identified.
 * @param more what the host knows at the end, such as the pattern of a route of its own.
 */
export function reportResponse(
  request: HttpRequest,
  response: ServerResponse,
  write: (entry: AccessLogEntry) => void,
  more: () => Partial<AccessLogEntry> = () => ({}),
): void {
  const beganAt = performance.now();
  // Read now: routers change the path, and a closed connection has no address.
  const { method } = request;
  const path = request.mountPath + request.path;
  const address = addressOf(request) ?? undefined;
  response.once('close', () => {
    write({
      method,
      path,
      durationMs: Math.round((performance.now() - beganAt) * 10) / 10,
      address,
      requestId: requestIdOf(request),
      ...outcomeOf(response),
      ...more(),
      ...factsOf(request),
    });
  });
}

const outcomeOf = (response: ServerResponse): Pick<AccessLogEntry, 'status' | 'aborted'> => ({
  status: response.headersSent ? response.statusCode : undefined,
  aborted: response.writableFinished ? undefined : true,
});
