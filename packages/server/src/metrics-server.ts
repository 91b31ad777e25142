import type { RequestListener, Server } from 'node:http';
import { AuthError, type Auth } from '@latchkey/core';
import { errorResponse, getOnly, listenerOf, metricsResponse, serviceHandler } from '@latchkey/http/internal';
import { createHttpServer, listen } from './http-server.js';

/** Serves the metrics if they have a port of their own; returns undefined otherwise. */
export async function openMetricsServer(auth: Auth): Promise<Server | undefined> {
  const { host, port } = auth.settings.metrics;
  if (port === undefined) return undefined;
  const server = createHttpServer(metricsApp(auth));
  await listen(server, { host, port, prefix: 'METRICS_' });
  return server;
}

/** Closes the server at once: scrapes are short and repeated. */
export function closeMetricsServer(server: Server | undefined): void {
  server?.close();
  server?.closeAllConnections();
}

/** Operators decide who reaches the port, so no caller is authenticated. */
function metricsApp(auth: Auth): RequestListener {
  const metrics = getOnly(auth, {
    path: '/metrics',
    serve: (exchange) => metricsResponse(auth, exchange),
  });
  const notFound = AuthError.notFound('The endpoint', 'endpoint_not_found');
  const handle = serviceHandler(auth, [metrics], (exchange) => errorResponse(exchange, notFound, auth));
  return listenerOf(handle, { trustProxy: auth.settings.http.trustProxy });
}
