import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { AuthError, type Auth } from '@latchkey/core';
import { assignRequestId, securityHeaders, sendError } from '@latchkey/express-adapter';
import { allEndpoints } from './all-endpoints.js';
import type { Endpoint } from './endpoint.js';
import { mountEndpoints } from './mount-endpoints.js';
import { sampleData } from './sample-data.js';

/** Creates an app with the platform's other services, behind Latchkey's guards and in its envelope. */
export function platformApp(auth: Auth, endpoints: readonly Endpoint[] = allEndpoints): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', auth.settings.http.trustProxy ?? false);
  app.use(requestId, securityHeaders);
  app.use(mountEndpoints(auth, endpoints, sampleData()));
  app.use(() => {
    throw AuthError.notFound('The endpoint');
  });
  app.use(errors(auth));
  return app;
}

const requestId: RequestHandler = (request, response, next) => {
  assignRequestId(request, response);
  next();
};

/** Handles every error, so that an unexpected one is logged here and the client gets its request id only. */
const errors =
  ({ logger }: Auth): ErrorRequestHandler =>
  (error: unknown, _request, response, _next) => {
    sendError(response, error, { logger, challengesBearer: true });
  };
