import type { Request, RequestHandler, Response, Router } from 'express';
import type { Auth } from '@latchkey/core';
import { scraper } from '../callers/scraper.js';
import { clientInfoOf } from '../http/client-info.js';
import { withDeadline } from '../http/deadline.js';
import { sendError } from '../http/error-response.js';
import { exactRouter } from '../http/exact-router.js';
import { onlyGet } from '../http/only-get.js';
import { readHeader } from '../http/request-input.js';
import { methodOf } from '../http/request-method.js';
import { metricsHandler } from './metrics-handler.js';

/**
 * Serves `GET /metrics` to holders of the internal key. Empty when the metrics have their own port.
 * @param headers sets the headers that every response of the service has.
 */
export function metricsEndpoint(auth: Auth, headers: RequestHandler): Router {
  const router = exactRouter();
  if (auth.settings.metrics.port !== undefined) return router;
  router.all('/metrics', headers, onlyGet(auth), onlyScrapers(auth), metricsHandler(auth));
  return router;
}

const onlyScrapers =
  (auth: Auth): RequestHandler =>
  async (request, response, next) => {
    try {
      await withDeadline(assertScraper(auth, request, response));
    } catch (error) {
      sendError(response, error, { logger: auth.logger });
      return;
    }
    next();
  };

async function assertScraper(auth: Auth, request: Request, response: Response): Promise<void> {
  await scraper.identify({
    auth,
    client: clientInfoOf(request, response),
    method: methodOf(request),
    header: (name) => readHeader(request, name),
    cookieToken: () => undefined,
    params: {},
    recognize: () => undefined,
  });
}
