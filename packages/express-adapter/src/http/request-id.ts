import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const HEADER = 'X-Request-Id';
/** What a caller may send of its own: nothing that could forge a log line. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{8,128}$/;

/**
 * The id that ties this answer to its log lines and audit rows: the caller's `X-Request-Id` when it has the usual
 * form, else a fresh one. Sets the answer's header; calling it again gives the same id.
 * @example
 * ```ts
 * app.use((request, response, next) => {
 *   console.info(assignRequestId(request, response), request.method, request.url);
 *   next();
 * });
 * ```
 */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): string {
  const assigned = response.getHeader(HEADER);
  if (typeof assigned === 'string') return assigned;
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && ACCEPTABLE.test(sent) ? sent : randomUUID();
  response.setHeader(HEADER, id);
  return id;
}
