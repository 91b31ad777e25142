import type { Auth } from '@latchkey/core';
import { metricsEndpoints } from '../metrics/metrics-endpoint.js';
import { openApiRoute } from '../openapi/openapi-route.js';
import { allRoutes } from '../routes/all-routes.js';
import { apiEndpoints } from './api-endpoints.js';
import type { Endpoint } from './endpoint.js';

/** Returns every path of the service but its pages. @param options `metrics: false` omits `/metrics`. */
export const authEndpoints = (auth: Auth, { metrics = true }: { metrics?: boolean } = {}): Endpoint[] => [
  ...apiEndpoints(auth, [...allRoutes, openApiRoute(allRoutes)]),
  ...(metrics ? metricsEndpoints(auth) : []),
];
