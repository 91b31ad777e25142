import type { RequestHandler } from 'express';
import type { Auth } from '@latchkey/core';
import { HARDENING, ResponseHeaders, crossOrigin, sendResponse, setHeaders } from '@latchkey/http/internal';
import { expressRequest } from './express-request.js';

/**
 * Middleware that sets hardening headers for an API: no framing, sniffing, caching or scripts.
 * @example
 * ```ts
 * app.use('/api', securityHeaders);
 * ```
 */
export const securityHeaders: RequestHandler = (_request, response, next) => {
  setHeaders(response, new ResponseHeaders(HARDENING));
  next();
};

/**
 * Creates a middleware that sets the headers of every response of the service: hardening, and CORS for the origins in
 * `CORS_ORIGINS`, whose preflights it answers. Use it for responses of the service only: on a page of the host app its
 * content security policy would block everything.
 * @example
 * ```ts
 * app.use('/status', answerHeaders(auth), (_request, response) => void response.json({ status: 'ok' }));
 * const server = app.listen(0);
 * const { port } = server.address() as { port: number };
 * const { headers } = await fetch(`http://127.0.0.1:${port}/status`);
 * headers.get('x-content-type-options'); // → 'nosniff'
 * server.close();
 * ```
 */
export function answerHeaders({ settings: { http } }: Pick<Auth, 'settings'>): RequestHandler {
  const permit = crossOrigin(http);
  return (request, response, next) => {
    const exchange = { request: expressRequest(request, response), headers: new ResponseHeaders(HARDENING) };
    const preflight = permit(exchange);
    if (preflight) void sendResponse(response, preflight);
    else {
      setHeaders(response, exchange.headers);
      next();
    }
  };
}
