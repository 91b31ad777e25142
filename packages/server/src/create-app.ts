import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { AuthError, type Auth } from '@latchkey/core';
import { answerHeaders, createAuthRouter, sendError } from '@latchkey/express-adapter';
import { docsPage } from './docs-page.js';
import { requestLog } from './request-log.js';

/** Returns the standalone application: request log, every route, and a JSON 404 for all other paths. */
export function createApp(auth: Auth, logger: Logger): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', auth.settings.http.trustProxy ?? false);
  app.use(requestLog(logger));
  app.use(createAuthRouter(auth));
  // Paths that the router does not know are answered here, and just as strictly.
  app.use(answerHeaders(auth));
  app.use(docsPage());
  app.use((_request, response) => {
    sendError(response, AuthError.notFound('The endpoint', 'endpoint_not_found'), { logger });
  });
  return app;
}
