import type { Request, RequestHandler, Response } from 'express';
import type { Level, Logger } from 'pino';
import { assignRequestId } from '@latchkey/express-adapter';

/** Probes come every few seconds and say nothing; they are logged at debug. */
const QUIET = new Set(['/health', '/ready']);

/**
 * One line an answer: method, path without its query (which may carry a token), status, time, request id. By hand,
 * because the usual middleware makes a logger for each request, at a tenth of the throughput of a short route.
 */
export function requestLog(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const requestId = assignRequestId(request, response);
    // Read now: routers change the URL on the way.
    const path = pathOf(request.originalUrl);
    response.once('close', () => {
      const level = levelOf(path, response);
      if (!logger.isLevelEnabled(level)) return;
      const milliseconds = Math.round(performance.now() - started);
      logger[level]({ requestId, milliseconds }, describe(request, path, response));
    });
    next();
  };
}

function levelOf(path: string, response: Response): Level {
  if (response.statusCode >= 500) return 'error';
  return QUIET.has(path) ? 'debug' : 'info';
}

const describe = (request: Request, path: string, response: Response): string =>
  `${request.method} ${path} ${response.writableFinished ? response.statusCode : 'aborted by the client'}`;

const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';
