import type { IncomingMessage, ServerResponse } from 'node:http';
import { responseParts } from '../http/error-response.js';
import type { VerificationError } from '../verification-error.js';

/** Ids that a caller may choose: no characters that could forge a log line. */
const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{8,128}$/;

/** Sends the response that a route of the service would send. Does nothing if a response has already been started. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  error: VerificationError,
): void {
  if (response.headersSent) return;
  const { status, headers, body } = responseParts(error, request.headers.accept);
  response.statusCode = status;
  response.removeHeader('X-Powered-By');
  addVary(response, headers);
  for (const [name, value] of headers) response.setHeader(name, value);
  if (!response.hasHeader('X-Request-Id')) response.setHeader('X-Request-Id', requestIdOf(request));
  const bytes = new TextEncoder().encode(body);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/** Keeps what the app varies by, such as `Origin`. */
function addVary(response: ServerResponse, headers: Map<string, string>): void {
  const own = response.getHeader('Vary');
  if (own !== undefined) headers.set('Vary', `${String(own)}, ${headers.get('Vary') ?? ''}`);
}

function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && ACCEPTABLE_ID.test(sent) ? sent : globalThis.crypto.randomUUID();
}
