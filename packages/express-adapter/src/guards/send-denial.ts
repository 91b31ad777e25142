import type { VerifyingAuth } from '@latchkey/core';
import { sendError } from '../http/error-response.js';
import { assignRequestId } from '../http/request-id.js';
import { hardenAnswer } from '../http/security-headers.js';
import type { GuardExchange } from './guard.js';

/** Sends the response that a route of the service would send. Does nothing if a response has already been started. */
export function sendDenial(
  { request, response }: GuardExchange,
  error: unknown,
  { logger }: Pick<VerifyingAuth, 'logger'>,
): void {
  if (response.headersSent) return;
  assignRequestId(request, response);
  hardenAnswer(request, response, () => {
    sendError(response, error, { logger, challengesBearer: true });
  });
}
