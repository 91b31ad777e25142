import type { Server } from 'node:http';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { AuthError, type Auth } from '@latchkey/core';
import { answerHeaders, assignRequestId, metricsHandler, sendError } from '@latchkey/express-adapter';
import { createHttpServer, listen } from './http-server.js';

/** Serves the metrics where they have a port of their own; else there is nothing to serve, and nothing to close. */
export async function openMetricsServer(auth: Auth, logger: Logger): Promise<Server | undefined> {
  const { host, port } = auth.settings.metrics;
  if (port === undefined) return undefined;
  const server = createHttpServer(metricsApp(auth, logger));
  await listen(server, host, port);
  return server;
}

/** Scrapes are short and repeated: none is worth a wait. */
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
