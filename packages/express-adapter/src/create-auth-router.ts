import { Router, type ErrorRequestHandler } from 'express';
import type { Auth } from '@latchkey/core';
import { crossOrigin } from './http/cross-origin.js';
import { sendError } from './http/error-response.js';
import { mountRoutes } from './http/mount-routes.js';
import { assignRequestId } from './http/request-id.js';
import { securityHeaders } from './http/security-headers.js';
import { openApiRoute } from './openapi/openapi-route.js';
import { authPages } from './pages/auth-pages.js';
import { devMailPages } from './pages/dev-mail.js';
import { allRoutes } from './routes/all-routes.js';

/**
 * A router with every route of the service, to be mounted in an Express 5 app, before or after its body parser.
 * Addresses are taken from `req.ip`, so set the app's `trust proxy` to what stands in front of it.
 * @throws TypeError when `auth` is not what `createAuth` returned.
 */
export function createAuthRouter(auth: Auth): Router {
  if (typeof auth !== 'object' || !('authenticator' in auth)) {
    throw new TypeError('createAuthRouter(auth): auth must be the result of `await createAuth(settings)`');
  }
  const router = Router();
  router.use(securityHeaders);
  if (auth.settings.http.corsOrigins.length > 0) router.use(crossOrigin(auth.settings.http));
  if (auth.inbox) router.use(devMailPages(auth.inbox, auth.settings.http.baseUrl));
  mountRoutes(router, [...allRoutes, openApiRoute(allRoutes)], auth);
  router.use(authPages(auth));
  router.use(routingErrors(auth));
  return router;
}

/** What Express itself rejects before a route runs: a path that is not valid percent-encoded UTF-8. */
const routingErrors =
  (auth: Auth): ErrorRequestHandler =>
  (error: unknown, request, response, _next) => {
    assignRequestId(request, response);
    sendError(response, error, { logger: auth.logger });
  };
