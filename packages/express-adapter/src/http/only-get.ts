import type { RequestHandler } from 'express';
import { AuthError, type Auth } from '@latchkey/core';
import { sendError } from './error-response.js';
import { assignRequestId } from './request-id.js';
import { methodOf } from './request-method.js';

/** Lets GET and HEAD pass. As on every path of the service, other methods are not found. */
export const onlyGet =
  ({ logger }: Pick<Auth, 'logger'>): RequestHandler =>
  (request, response, next) => {
    assignRequestId(request, response);
    if (methodOf(request) === 'GET') next();
    else sendError(response, AuthError.notFound('The endpoint', 'endpoint_not_found'), { logger });
  };
