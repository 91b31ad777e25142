import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const HEADER = 'X-Request-Id';
/** Ids that a caller may choose: no characters that could forge a log line. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{8,128}$/;

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
  const assigned = response.getHeader(HEADER);
  if (typeof assigned === 'string') return assigned;
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && ACCEPTABLE.test(sent) ? sent : randomUUID();
  response.setHeader(HEADER, id);
  return id;
}
