import { application, Router } from 'express';
import type { Auth } from '@latchkey/core';
import { assertOptions, trueOrFalse } from '@latchkey/core/settings';
import { assertAuth, authEndpoints, requestHandler, sendResponse } from '@latchkey/http/internal';
import { authPages } from '@latchkey/pages';
import { assertExpress5 } from './assert-express.js';
import { expressRequest } from './express-request.js';

/** Parts of the service that `createAuthRouter` mounts. */
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
  const { pages = true, metrics = true } = options;
  const handle = requestHandler(auth, [
    ...authEndpoints(auth, { metrics }),
    ...(pages ? authPages(auth) : []),
  ]);
  const router = Router();
  router.use((request, response, next) => {
    const answer = handle(expressRequest(request, response));
    if (answer === undefined) next();
    else void Promise.resolve(answer).then((ready) => sendResponse(response, ready));
  });
  return router;
}
