import type { RequestHandler } from 'express';
import type { Auth } from '@latchkey/core';
import {
  type Exchange,
  type HttpResponse,
  ResponseHeaders,
  sendResponse,
  setHeaders,
} from '@latchkey/http/internal';
import { type HomeFacts, homeEndpoint, notFoundResponse } from '@latchkey/pages/internal';
import { expressRequest } from './express-request.js';

/**
 * Creates a middleware for browsers that open `/`: in development and on the same machine a page with the addresses and the
 * setup of the service, else a redirect to `WEB_APP_URL` or to `/login`. Other clients and methods are passed on.
 * @param facts returns the facts, or undefined while they are not known.
 * @example
 * ```ts
 * app.get('/', homePage(auth, () => undefined));
 * const server = app.listen(0);
 * const { port } = server.address() as { port: number };
 * const headers = { accept: 'text/html' };
 * (await fetch(`http://127.0.0.1:${port}/`, { headers, redirect: 'manual' })).headers.get('location'); // → '/login'
 * server.close();
 * ```
 */
export function homePage(auth: Auth, facts: () => HomeFacts | undefined): RequestHandler {
  const { serve } = homeEndpoint(auth, facts);
  return ifAny((exchange) => serve(exchange, {}));
}

/**
 * Creates a middleware that answers browsers with a page and status 404, in the language of the user. Other clients and
 * methods are passed on, so mount it last, before the handler that responds in JSON, and after `answerHeaders`.
 * @example
 * ```ts
 * app.use(createAuthRouter(auth), answerHeaders(auth), notFoundPage(auth));
 * const server = app.listen(0);
 * const { port } = server.address() as { port: number };
 * const response = await fetch(`http://127.0.0.1:${port}/nowhere`, { headers: { accept: 'text/html' } });
 * [response.status, (await response.text()).includes('Page not found')]; // → [404, true]
 * server.close();
 * ```
 */
export const notFoundPage = (auth: Auth): RequestHandler =>
  ifAny((exchange) => notFoundResponse(auth, exchange));

/** Creates a middleware that sends a response if there is one, and else passes the request on with its headers. */
const ifAny =
  (respond: (exchange: Exchange) => HttpResponse | Promise<HttpResponse> | undefined): RequestHandler =>
  async (request, response, next) => {
    const exchange = { request: expressRequest(request, response), headers: new ResponseHeaders() };
    const answer = await respond(exchange);
    if (answer) await sendResponse(response, answer);
    else {
      setHeaders(response, exchange.headers);
      next();
    }
  };
