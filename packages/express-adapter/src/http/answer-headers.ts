import type { RequestHandler } from 'express';
import type { Auth } from '@latchkey/core';
import { crossOrigin } from './cross-origin.js';
import { securityHeaders } from './security-headers.js';

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
  if (http.corsOrigins.length === 0) return securityHeaders;
  const permit = crossOrigin(http);
  return (request, response, next) => {
    securityHeaders(request, response, (error?: unknown) => {
      if (error === undefined) permit(request, response, next);
      else next(error);
    });
  };
}
