import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { assignRequestId } from '@latchkey/express-adapter';

/** Probes come every few seconds and say nothing; they are logged at debug. */
const QUIET = new Set(['/health', '/ready']);

/** One line an answer: method, path without its query (which may carry tokens), status, time, request id. */
export function requestLog(logger: Logger): RequestHandler {
  return pinoHttp({
    logger,
    genReqId: assignRequestId,
    quietReqLogger: true,
    serializers: { req: () => undefined, res: () => undefined },
    customAttributeKeys: { reqId: 'requestId', responseTime: 'milliseconds' },
    customLogLevel: (request, response, error) => {
      if (error !== undefined || response.statusCode >= 500) return 'error';
      return QUIET.has(pathOf(request.url)) ? 'debug' : 'info';
    },
    customSuccessMessage: (request, response) =>
      `${request.method ?? ''} ${pathOf(request.url)} ${response.statusCode}`,
    customErrorMessage: (request, response) =>
      `${request.method ?? ''} ${pathOf(request.url)} ${response.statusCode}`,
  });
}

const pathOf = (url: string | undefined): string => (url ?? '').split('?', 1)[0] ?? '';
