import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { AuthError, type Auth } from '@latchkey/core';
import {
  answerHeaders,
  createAuthRouter,
  homePage,
  notFoundPage,
  sendError,
  type HomeFacts,
} from '@latchkey/express-adapter';
import { docsPage } from './docs-page.js';
import { requestLog } from './request-log.js';
import type { StartupFacts } from './startup-facts.js';
import { startupLines } from './startup-summary.js';

/**
 * Returns the standalone application: request log, every route, `/` and `/docs` for people, and a 404 for all other paths,
 * as a page for browsers and in JSON for other clients.
 * @param startup returns the facts of the start, or undefined until it has ended.
 */
export function createApp(auth: Auth, logger: Logger, startup: () => StartupFacts | undefined): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', auth.settings.http.trustProxy ?? false);
  app.use(requestLog(logger));
  app.use(createAuthRouter(auth));
  // Paths that the router does not know are answered here, and just as strictly.
  app.use(answerHeaders(auth));
  app.use(atRoot(homePage(auth, () => homeFacts(auth, startup()))));
  if (auth.settings.http.docs) app.use(docsPage(auth));
  app.use(notFoundPage(auth));
  app.use((_request, response) => {
    sendError(response, AuthError.notFound('The endpoint', 'endpoint_not_found'), { logger });
  });
  return app;
}

/** Restricts a middleware to the path `/`. Other methods of the path are passed on, as Express would not do for OPTIONS. */
const atRoot =
  (handler: RequestHandler): RequestHandler =>
  (request, response, next) => {
    if (request.path === '/') void handler(request, response, next);
    else next();
  };

function homeFacts({ settings }: Auth, startup: StartupFacts | undefined): HomeFacts | undefined {
  if (!startup) return undefined;
  const { version, metrics, defaults } = startup;
  return { version, metrics, defaults, docs: settings.http.docs, setup: startupLines(startup) };
}
