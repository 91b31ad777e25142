import type { RequestHandler } from 'express';
import type { Auth } from '@latchkey/core';
import { assertAuth } from '../assert-auth.js';
import { sendError } from '../http/error-response.js';

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
  return async (_request, response) => {
    try {
      const text = Buffer.from(await auth.metrics.text());
      response.setHeader('Cache-Control', 'no-store');
      response.setHeader('X-Content-Type-Options', 'nosniff');
      response.setHeader('Content-Type', auth.metrics.contentType);
      response.setHeader('Content-Length', text.length);
      response.end(text);
    } catch (error) {
      sendError(response, error, { logger: auth.logger });
    }
  };
}
