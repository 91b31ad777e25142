import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { onTestFinished } from 'vitest';
import { expressRequest } from '../../packages/express-adapter/src/express-request.js';
import type { Exchange } from '../../packages/http/src/exchange/exchange.js';
import type { HttpResponse } from '../../packages/http/src/exchange/http-response.js';
import { ResponseHeaders } from '../../packages/http/src/exchange/response-headers.js';
import { sendResponse } from '../../packages/http/src/node/send-response.js';

/** Starts a server that responds to every request in this way, and returns its address. @param before parsers of a host app. */
export async function exchangeServer(
  respond: (exchange: Exchange) => HttpResponse | Promise<HttpResponse>,
  before: RequestHandler[] = [],
): Promise<string> {
  const app = express();
  app.use(...before, async (request, response) => {
    const exchange = { request: expressRequest(request, response), headers: new ResponseHeaders() };
    await sendResponse(response, await respond(exchange));
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
