import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isStreamed, type HttpResponse } from '../exchange/http-response.js';
import type { ResponseHeaders } from '../exchange/response-headers.js';

/**
 * Sends a response. Resolves when its body has been passed on or the client is gone. Does nothing but give the body up if a
 * response has been started. A response that cannot be sent closes the connection.
 */
export async function sendResponse(
  target: ServerResponse,
  { within, ...response }: HttpResponse,
): Promise<void> {
  if (within) return within(() => sendResponse(target, response));
  const { body } = response;
  if (target.headersSent || target.destroyed) {
    if (isStreamed(body)) await body[Symbol.asyncIterator]().return?.();
    return;
  }
  try {
    writeHead(target, response);
    if (!isStreamed(body)) target.end(body);
    else await pipeline(Readable.from(body), target, response.until ? { signal: response.until } : {});
  } catch {
    // A failure has been reported where the body is made, a client that leaves is none, and no part may pass for the whole.
    target.destroy();
  }
}

/** Headers to which a host app has added none are written as they are, which is the fastest way. */
function writeHead(target: ServerResponse, { status, headers }: HttpResponse): void {
  if (target.getHeaderNames().length === 0) {
    target.writeHead(status, headers.flat);
    return;
  }
  target.statusCode = status;
  setHeaders(target, headers);
}

/** Sets headers beside those of the host app. */
export function setHeaders(target: ServerResponse, headers: ResponseHeaders): void {
  target.removeHeader('X-Powered-By');
  for (const [name, value] of headers) {
    if (name === 'Set-Cookie') target.appendHeader(name, value);
    else if (name === 'Vary') target.setHeader(name, merged(target.getHeader(name), value));
    else target.setHeader(name, value);
  }
}

/** Returns both lists of fields as one. */
function merged(present: number | string | string[] | undefined, fields: string): string {
  const all = [present ?? [], fields].flat().flatMap((list) => String(list).split(/, */));
  return [...new Set(all)].join(', ');
}
