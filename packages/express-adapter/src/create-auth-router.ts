import { application, type ErrorRequestHandler, type RequestHandler, type Router } from 'express';
import type { Auth } from '@latchkey/core';
import { assertOptions, trueOrFalse } from '@latchkey/core/settings';
import { assertAuth } from './assert-auth.js';
import { assertExpress5 } from './assert-express.js';
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
 * Parts of the service that `createAuthRouter` mounts.
 * @example
 * ```ts
 * const options: AuthRouterOptions = { pages: false, metrics: false };
 * app.use('/id', createAuthRouter(auth, options));
 * ```
 */
export interface AuthRouterOptions {
  /** False omits the pages and the development inbox `/dev/mail`. Defaults to true. */
  pages?: boolean;
  /** False omits `/metrics`, for apps that have their own metrics at that path. Defaults to true. */
  metrics?: boolean;
}

/**
 * Creates a router with every route of the service. Mount it in an Express 5 app under any prefix, before or after the
 * body parser. It sets headers on its own responses only and passes unknown paths on to the app unchanged. Client
 * addresses come from `req.ip`, so configure the app's `trust proxy` for the proxies in front of it.
 * @throws TypeError when `auth` is not the result of `createAuth` or has been closed, for an unknown option, and in
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
  assertOptions({ name: 'createAuthRouter', before: 'auth, ' }, options, {
    pages: trueOrFalse,
    metrics: trueOrFalse,
  });
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

/** Handles requests that Express rejects before a route runs: a path that is not valid percent-encoded UTF-8. */
const routingErrors =
  ({ logger }: Auth, headers: RequestHandler): ErrorRequestHandler =>
  async (error: unknown, request, response, _next) => {
    assignRequestId(request, response);
    await headers(request, response, () => sendError(response, error, { logger }));
  };
