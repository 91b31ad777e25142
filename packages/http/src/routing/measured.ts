import type { Auth } from '@latchkey/core';
import { whenSent } from '../exchange/http-response.js';
import { rememberRoute } from '../exchange/request-facts.js';
import { methodOf } from '../exchange/request-method.js';
import type { SteadyEndpoint } from './endpoint.js';
import { endpointNotFound } from './error-response.js';

/** Returns an endpoint for GET and HEAD. Other methods are 404, as on every path of the service. */
export const getOnly = (
  { logger }: Pick<Auth, 'logger'>,
  { path, serve }: SteadyEndpoint,
): SteadyEndpoint => ({
  path,
  serve: (exchange, params) =>
    methodOf(exchange.request) === 'GET' ? serve(exchange, params) : endpointNotFound(exchange, { logger }),
});

/** Returns an endpoint whose responses are counted and timed. @param route the pattern of the path in the metrics. */
export function measured(
  { metrics: { http } }: Pick<Auth, 'metrics'>,
  route: string,
  { path, serve }: SteadyEndpoint,
): SteadyEndpoint {
  http.announce(route);
  return {
    path,
    serve: async (exchange, params) => {
      const { request } = exchange;
      rememberRoute(request, route);
      const beganAt = http.begin();
      const response = await serve(exchange, params);
      return whenSent(response, () =>
        http.end(beganAt, { route, method: request.method, status: response.status }),
      );
    },
  };
}
