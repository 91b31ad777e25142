import type { Auth } from '@latchkey/core';
import type { Exchange } from '../exchange/exchange.js';
import type { HttpRequest } from '../exchange/http-request.js';
import type { HttpResponse } from '../exchange/http-response.js';
import { REQUEST_ID_HEADER, requestIdOf } from '../exchange/request-id.js';
import { ResponseHeaders } from '../exchange/response-headers.js';
import { crossOrigin } from './cross-origin.js';
import { EndpointTable } from './endpoint-table.js';
import type { Endpoint } from './endpoint.js';
import { errorResponse } from './error-response.js';
import { HARDENING } from './hardening.js';

type Answer = HttpResponse | Promise<HttpResponse>;

/**
 * Returns the handler of a table of endpoints: it returns undefined if none has the path of a request. Every response has the
 * hardening headers, its request id and, for the origins in `CORS_ORIGINS`, those of cross-origin requests, whose preflights are
 * answered here. It never throws, and its promises never reject.
 */
export function requestHandler(
  auth: Auth,
  endpoints: readonly Endpoint[],
): (request: HttpRequest) => Answer | undefined {
  const table = new EndpointTable(endpoints);
  const permit = crossOrigin(auth.settings.http);
  return (request) => {
    const found = table.find(request.path);
    if (!found) return undefined;
    return answer(
      auth,
      request,
      (exchange) => permit(exchange) ?? found.endpoint.serve(exchange, found.readParams()),
    );
  };
}

/** Does the same for a host of its own, which responds to every path. @param otherwise responds where no endpoint does. */
export function serviceHandler(
  auth: Auth,
  endpoints: readonly Endpoint[],
  otherwise: (exchange: Exchange) => HttpResponse,
): (request: HttpRequest) => Answer {
  const handle = requestHandler(auth, endpoints);
  const permit = crossOrigin(auth.settings.http);
  return (request) =>
    handle(request) ?? answer(auth, request, (exchange): Answer => permit(exchange) ?? otherwise(exchange));
}

/** Responds to an error as the routes of the service do, whenever it occurs. */
function answer<T extends Answer | undefined>(
  auth: Auth,
  request: HttpRequest,
  serve: (exchange: Exchange) => T,
): T | Answer {
  const exchange = beginExchange(request);
  const respond = (error: unknown): HttpResponse => errorResponse(exchange, error, auth);
  try {
    const served = serve(exchange);
    return served instanceof Promise ? served.catch(respond) : served;
  } catch (error) {
    return respond(error);
  }
}

/** Starts a response with the headers that each one has. */
export function beginExchange(request: HttpRequest): Exchange {
  const headers = new ResponseHeaders(HARDENING);
  headers.set(REQUEST_ID_HEADER, requestIdOf(request));
  return { request, headers };
}
