import { application, type ErrorRequestHandler, type RequestHandler, type Router } from 'express';
import type { Auth } from '@latchkey/core';
import { assertAuth } from './assert-auth.js';
import { assertExpress5 } from './assert-express.js';
import { assertOptions, trueOrFalse } from './assert-options.js';
import { answerHeaders } from './http/answer-headers.js';
import { sendError } from './http/error-response.js';
import { exactRouter } from './http/exact-router.js';
import { mountRoutes } from './http/mount-routes.js';
import { assignRequestId } from './http/request-id.js';
import { metricsEndpoint } from './metrics/metrics-endpoint.js';
import { openApiRoute } from './openapi/openapi-route.js';
import { authPages } from './pages/auth-pages.js';
import { devMailPages } from './pages/dev-mail.js';
import { allRoutes } from './routes/all-routes.js';

/**
 * What of the service an app mounts.
 * @example
 * ```ts
 * const options: AuthRouterOptions = { pages: false, metrics: false };
 * app.use('/id', createAuthRouter(auth, options));
 * ```
 */
export interface AuthRouterOptions {
  /** False leaves the pages for people and the development inbox `/dev/mail` out. True unless told otherwise. */
  pages?: boolean;
  /** False leaves `/metrics` out, for apps that have metrics of their own there. True unless told otherwise. */
  metrics?: boolean;
}

/**
 * A router with every route of the service, to be mounted in an Express 5 app under any prefix, before or after its
 * body parser. It puts headers on its own answers only; what it does not know goes on to the app as it came.
 * Addresses are taken from `req.ip`, so set the app's `trust proxy` to what stands in front of it.
 * @throws TypeError when `auth` is not what `createAuth` gave, or has been closed, for an unknown option, and in
 * Express 4.
 * @example
 * ```ts
 * app.use('/id', createAuthRouter(auth, { pages: false }));
 * const server = app.listen(0);
 * const { port } = server.address() as { port: number };
 * (await fetch(`http://127.0.0.1:${port}/id/health`)).status; // → 200
 * server.close();
 * ```
 */
export function createAuthRouter(auth: Auth, options: AuthRouterOptions = {}): Router {
  assertAuth(auth, 'app.use(createAuthRouter(await createAuth(settings)))');
  assertOptions('createAuthRouter', options, { pages: trueOrFalse, metrics: trueOrFalse });
  assertExpress5(application);
  const headers = answerHeaders(auth);
  const router = exactRouter();
  if (options.pages !== false && auth.inbox) router.use(devMailPages(auth, auth.inbox, headers));
  mountRoutes(router, [...allRoutes, openApiRoute(allRoutes)], { auth, headers });
  if (options.pages !== false) router.use(authPages(auth, headers));
  if (options.metrics !== false) router.use(metricsEndpoint(auth, headers));
  router.use(routingErrors(auth, headers));
  return router;
}

/** What Express itself rejects before a route of ours runs: a path that is not valid percent-encoded UTF-8. */
const routingErrors =
  ({ logger }: Auth, headers: RequestHandler): ErrorRequestHandler =>
  async (error: unknown, request, response, _next) => {
    assignRequestId(request, response);
    await headers(request, response, () => sendError(response, error, { logger }));
  };
