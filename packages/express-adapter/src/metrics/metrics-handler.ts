import type { RequestHandler } from 'express';
import type { Auth } from '@latchkey/core';
import { assertAuth } from '../assert-auth.js';
import { sendError } from '../http/error-response.js';

/**
 * Answers with everything `auth` measures, in Prometheus' text format. It asks nobody who they are: mount it where only
 * your monitoring comes, or behind a middleware that does.
 * @example
 * ```ts
 * app.get('/internal-metrics', metricsHandler(auth));
 * ```
 * @throws TypeError when `auth` is not what `createAuth` gave, or has been closed.
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
