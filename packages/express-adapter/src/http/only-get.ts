import type { RequestHandler } from 'express';
import { AuthError, type Auth } from '@latchkey/core';
import { sendError } from './error-response.js';
import { assignRequestId } from './request-id.js';
import { methodOf } from './request-method.js';

/** Creates a middleware that allows GET and HEAD. Other methods are 404, as on every path of the service. */
export const onlyGet =
  ({ logger }: Pick<Auth, 'logger'>): RequestHandler =>
  (request, response, next) => {
    assignRequestId(request, response);
    if (methodOf(request) === 'GET') next();
    else sendError(response, AuthError.notFound('The endpoint', 'endpoint_not_found'), { logger });
  };
