import type { RequestHandler } from 'express';
import type { Auth } from '@latchkey/core';
import { ResponseHeaders, assertAuth, metricsResponse, sendResponse } from '@latchkey/http/internal';
import { expressRequest } from './express-request.js';

/**
 * Responds with all metrics of `auth` in the text format of Prometheus. It authenticates no caller: mount it where only
 * your monitoring can reach it, or behind a middleware that authenticates.
 * @example
 * ```ts
 * app.get('/internal-metrics', metricsHandler(auth));
 * ```
 * @throws TypeError when `auth` is not the result of `createAuth` or has been closed.
 */
export function metricsHandler(auth: Auth): RequestHandler {
  assertAuth(auth, "app.get('/metrics', metricsHandler(auth))");
  return async (request, response) => {
    const exchange = { request: expressRequest(request, response), headers: new ResponseHeaders() };
    await sendResponse(response, await metricsResponse(auth, exchange));
  };
}
