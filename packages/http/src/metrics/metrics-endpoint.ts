import type { Auth } from '@latchkey/core';
import { scraper } from '../callers/scraper.js';
import { clientInfoOf } from '../exchange/client-info.js';
import type { Exchange } from '../exchange/exchange.js';
import type { HttpRequest } from '../exchange/http-request.js';
import type { HttpResponse } from '../exchange/http-response.js';
import { readHeader } from '../exchange/request-input.js';
import { methodOf } from '../exchange/request-method.js';
import { withDeadline } from '../routing/deadline.js';
import type { Endpoint } from '../routing/endpoint.js';
import { textResponse } from '../routing/envelope.js';
import { errorResponse } from '../routing/error-response.js';
import { getOnly } from '../routing/measured.js';

/** `GET /metrics` for holders of the internal key. None when the metrics have their own port. */
export function metricsEndpoints(auth: Auth): Endpoint[] {
  if (auth.settings.metrics.port !== undefined) return [];
  const serve = async (exchange: Exchange): Promise<HttpResponse> => {
    try {
      await withDeadline(assertScraper(auth, exchange.request));
    } catch (error) {
      return errorResponse(exchange, error, auth);
    }
    return metricsResponse(auth, exchange);
  };
  return [getOnly(auth, { path: '/metrics', serve })];
}

/** Returns all metrics in the text format of Prometheus. It authenticates no caller. */
export async function metricsResponse(auth: Auth, exchange: Exchange): Promise<HttpResponse> {
  try {
    const text = await auth.metrics.text();
    exchange.headers.set('Cache-Control', 'no-store');
    exchange.headers.set('X-Content-Type-Options', 'nosniff');
    return textResponse(exchange, 200, { type: auth.metrics.contentType, text });
  } catch (error) {
    return errorResponse(exchange, error, auth);
  }
}

async function assertScraper(auth: Auth, request: HttpRequest): Promise<void> {
  await scraper.identify({
    auth,
    client: clientInfoOf(request),
    method: methodOf(request),
    header: (name) => readHeader(request, name),
    cookieToken: () => undefined,
    params: {},
    recognize: () => undefined,
  });
}
