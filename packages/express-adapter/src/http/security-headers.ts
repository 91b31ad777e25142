import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Hardening headers of an API: nothing is framed, sniffed, cached or run. Pages bring their own policy. */
const harden = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  referrerPolicy: { policy: 'no-referrer' },
  // For this host alone: its other names may belong to somebody else, and an app may have mounted us.
  strictTransportSecurity: { includeSubDomains: false },
});

/** Puts them on an answer, in place of what the host app may have put there. */
export function hardenAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
): void {
  response.setHeader('Cache-Control', 'no-store');
  response.removeHeader('X-Powered-By');
  harden(request, response, next);
}

/**
 * Hardening headers of an API as a middleware: nothing of its answers is framed, sniffed, cached or run.
 * @example
 * ```ts
 * app.use('/api', securityHeaders);
 * ```
 */
export const securityHeaders: RequestHandler = hardenAnswer;
