import type { Exchange } from '../exchange/exchange.js';
import type { HttpResponse } from '../exchange/http-response.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Returns a JSON response. It has no ETag: the responses are never cached. */
export const jsonResponse = (
  exchange: Exchange,
  status: number,
  body: unknown,
  type = JSON_TYPE,
): HttpResponse => textResponse(exchange, status, { type, text: JSON.stringify(body) });

export const dataResponse = (exchange: Exchange, status: number, data: unknown): HttpResponse =>
  jsonResponse(exchange, status, { success: true, data } satisfies { success: true; data: unknown });

/** Returns a response with a body whose length is known. A response to HEAD has the length, and no body. */
export function textResponse(
  { request, headers }: Exchange,
  status: number,
  { type, text }: { type: string; text: string },
): HttpResponse {
  headers.set('Content-Type', type);
  headers.set('Content-Length', String(Buffer.byteLength(text)));
  return { status, headers, body: request.method === 'HEAD' ? undefined : text };
}
