import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorContext, ResponseHeaders, errorResponse, sendResponse } from '@latchkey/http/internal';
import { expressRequest } from './express-request.js';

/**
 * Responds to any thrown value in the envelope, or as problem details (RFC 9457) if the client prefers them. An error that
 * is not meant for clients is logged and returned as `internal_error`. Does nothing if a response has been started.
 * @example
 * ```ts
 * app.get('/export', (_request, response) => {
 *   sendError(response, AuthError.unavailable('The export service is unavailable.'), { logger: console });
 * });
 * ```
 */
export function sendError(response: ServerResponse, thrown: unknown, context: ErrorContext): void {
  // A response that a host app constructed itself may have no request.
  const request = (response.req as IncomingMessage | undefined) ?? ({ headers: {} } as IncomingMessage);
  const exchange = { request: expressRequest(request, response), headers: new ResponseHeaders() };
  void sendResponse(response, errorResponse(exchange, thrown, context));
}
