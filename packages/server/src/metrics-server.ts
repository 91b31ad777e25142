import type { Server } from 'node:http';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { AuthError, type Auth } from '@latchkey/core';
import { answerHeaders, assignRequestId, metricsHandler, sendError } from '@latchkey/express-adapter';
import { createHttpServer, listen } from './http-server.js';

/** Serves the metrics if they have a port of their own; returns undefined otherwise. */
export async function openMetricsServer(auth: Auth, logger: Logger): Promise<Server | undefined> {
  const { host, port } = auth.settings.metrics;
  if (port === undefined) return undefined;
  const server = createHttpServer(metricsApp(auth, logger));
  await listen(server, { host, port, prefix: 'METRICS_' });
  return server;
}

/** Closes the server at once: scrapes are short and repeated. */
export function closeMetricsServer(server: Server | undefined): void {
  server?.close();
  server?.closeAllConnections();
}

function metricsApp(auth: Auth, logger: Logger): Express {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(answerHeaders(auth));
  app.get('/metrics', metricsHandler(auth));
  app.use((request, response) => {
    assignRequestId(request, response);
    sendError(response, AuthError.notFound('The endpoint', 'endpoint_not_found'), { logger });
  });
  return app;
}
