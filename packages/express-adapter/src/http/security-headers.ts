import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Sets hardening headers for an API: no framing, sniffing, caching or scripts. Pages set their own policy. */
const harden = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  referrerPolicy: { policy: 'no-referrer' },
  // For this host alone: subdomains may belong to others, and the service may be mounted in an app.
  strictTransportSecurity: { includeSubDomains: false },
});

class HeaderRecorder extends ServerResponse {
  readonly recorded: (readonly [name: string, value: string])[] = [];

  override setHeader(name: string, value: string): this {
    this.recorded.push([name, value]);
    return this;
  }
}

/** Returns the headers that helmet sets. They are the same for each response, so helmet runs once instead of each time. */
function headersOf(middleware: typeof harden): HeaderRecorder['recorded'] {
  const recorder = new HeaderRecorder(new IncomingMessage(new Socket()));
  middleware(recorder.req, recorder, (error?: unknown) => {
    if (error instanceof Error) throw error;
  });
  return recorder.recorded;
}

const HEADERS = headersOf(harden);

/** Sets the hardening headers on a response and overwrites those of the host app. */
export function hardenAnswer(
  _request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
): void {
  response.setHeader('Cache-Control', 'no-store');
  response.removeHeader('X-Powered-By');
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  next();
}

/**
 * Middleware that sets hardening headers for an API: no framing, sniffing, caching or scripts.
 * @example
 * ```ts
 * app.use('/api', securityHeaders);
 * ```
 */
export const securityHeaders: RequestHandler = hardenAnswer;
