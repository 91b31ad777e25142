import type { Request, RequestHandler } from 'express';
import { type AccessLogEntry, reportResponse } from '@latchkey/http/internal';
import { assignRequestId, expressRequest } from './express-request.js';

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
    assignRequestId(request, response);
    reportResponse(expressRequest(request, response), response, write, () => ({ route: patternOf(request) }));
    next();
  };
}

/** Returns the pattern of a route of the app, in the form that routes of the service have. */
function patternOf({ baseUrl, route }: Request): string | undefined {
  const { path } = (route ?? {}) as { path?: unknown };
  return typeof path === 'string' ? `${baseUrl}${path}`.replace(/:(\w+)/g, '{$1}') : undefined;
}
