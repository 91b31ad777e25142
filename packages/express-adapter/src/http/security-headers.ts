import type { IncomingMessage, ServerResponse } from 'node:http';
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

/** Sets the hardening headers on a response and overwrites those of the host app. */
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
 * Middleware that sets hardening headers for an API: no framing, sniffing, caching or scripts.
 * @example
 * ```ts
 * app.use('/api', securityHeaders);
 * ```
 */
export const securityHeaders: RequestHandler = hardenAnswer;
