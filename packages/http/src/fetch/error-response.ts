import { AuthError, silentLogger } from '@latchkey/core';
import { errorResponse as respond } from '../routing/error-response.js';
import { beginExchange } from '../routing/request-handler.js';
import { unknownAddress } from './client-address.js';
import { fetchResponse } from './fetch-response.js';
import { guardedRequest, type GuardedRequest } from './guarded-request.js';

/**
 * Returns the response of the Fetch API that a route of the service would give to an `AuthError`.
 * @throws any other value, so that the host reports it.
 * @example
 * ```ts
 * const response = errorResponse(AuthError.notFound('The invoice'), new Request('http://localhost/invoices/7'));
 * response.status; // → 404
 * ```
 */
export function errorResponse(error: unknown, request: GuardedRequest): Response {
  if (!AuthError.is(error)) throw error;
  const exchange = beginExchange(guardedRequest(request, unknownAddress));
  const response = respond(exchange, error, { logger: silentLogger, challengesBearer: true });
  return fetchResponse(response, () => undefined);
}
