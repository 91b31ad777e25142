import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Hardening headers of an API: nothing is framed, sniffed, cached or run. Pages bring their own policy. */
const harden = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  referrerPolicy: { policy: 'no-referrer' },
});

export const securityHeaders: RequestHandler = (request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  response.removeHeader('X-Powered-By');
  harden(request, response, next);
};
