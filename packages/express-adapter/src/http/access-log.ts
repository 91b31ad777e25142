import type { Request, RequestHandler, Response } from 'express';
import { addressOf } from './client-info.js';
import { factsOf } from './request-facts.js';
import { assignRequestId } from './request-id.js';

/**
 * An entry of the access log: one response. It contains no query, header or body and therefore no secret.
 * @example
 * ```ts
 * const isFailure = ({ status = 0 }: AccessLogEntry): boolean => status >= 500;
 * isFailure({ method: 'GET', path: '/ready', status: 503, durationMs: 2, requestId: 'a-request' }); // → true
 * ```
 */
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
  /** The address of the client. `trust proxy` decides which forwarded addresses count. */
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
 * Creates a middleware that reports each response once it is written, with the route and the caller if the router or a
 * guard has identified them. Mount it first, so that it sees every request.
 * @example
 * ```ts
 * const lines: string[] = [];
 * app.use(accessLog(({ method, route, status }) => void lines.push(`${method} ${route} ${status}`)));
 * app.use('/id', createAuthRouter(auth));
 * const server = app.listen(0);
 * const { port } = server.address() as { port: number };
 * await (await fetch(`http://127.0.0.1:${port}/id/health`)).text();
 * while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
 * server.close();
 * lines; // → ['GET /health 200']
 * ```
 */
export function accessLog(write: (entry: AccessLogEntry) => void): RequestHandler {
  return (request, response, next) => {
    const beganAt = performance.now();
    const requestId = assignRequestId(request, response);
    // Read now: routers change the URL, and a closed connection has no address.
    const path = request.originalUrl.split('?', 1)[0] ?? '';
    const address = addressOf(request) ?? undefined;
    response.once('close', () => {
      const durationMs = Math.round((performance.now() - beganAt) * 10) / 10;
      write({
        method: request.method,
        path,
        durationMs,
        address,
        requestId,
        ...outcomeOf(response),
        ...factsOf(request),
        route: factsOf(request).route ?? patternOf(request),
      });
    });
    next();
  };
}

const outcomeOf = (response: Response): Pick<AccessLogEntry, 'status' | 'aborted'> => ({
  status: response.headersSent ? response.statusCode : undefined,
  aborted: response.writableFinished ? undefined : true,
});

/** Returns the pattern of a route of the app, in the form that routes of the service have. */
function patternOf({ baseUrl, route }: Request): string | undefined {
  const { path } = (route ?? {}) as { path?: unknown };
  return typeof path === 'string' ? `${baseUrl}${path}`.replace(/:(\w+)/g, '{$1}') : undefined;
}
