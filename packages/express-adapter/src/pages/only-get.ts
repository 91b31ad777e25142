import type { RequestHandler } from 'express';
import { AuthError, type Auth } from '@latchkey/core';
import { sendError } from '../http/error-response.js';
import { assignRequestId } from '../http/request-id.js';

/** As on every path of the service, other methods find nothing. Express itself would answer HEAD and OPTIONS. */
export const onlyGet =
  ({ logger }: Pick<Auth, 'logger'>): RequestHandler =>
  (request, response, next) => {
    assignRequestId(request, response);
    if (request.method === 'GET') next();
    else sendError(response, AuthError.notFound('The endpoint'), { logger });
  };
