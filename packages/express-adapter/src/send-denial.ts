import type { IncomingMessage, ServerResponse } from 'node:http';
import type { VerifyingAuth } from '@latchkey/core';
import { beginExchange, errorResponse, sendResponse } from '@latchkey/http/internal';
import { expressRequest } from './express-request.js';

/** Sends the response that a route of the service would send. Does nothing if a response has already been started. */
export function sendDenial(
  request: IncomingMessage,
  response: ServerResponse,
  { error, auth }: { error: unknown; auth: Pick<VerifyingAuth, 'logger'> },
): void {
  if (response.headersSent) return;
  const exchange = beginExchange(expressRequest(request, response));
  void sendResponse(
    response,
    errorResponse(exchange, error, { logger: auth.logger, challengesBearer: true }),
  );
}
