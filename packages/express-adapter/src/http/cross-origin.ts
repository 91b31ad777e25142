import cors from 'cors';
import type { RequestHandler } from 'express';
import type { Settings } from '@latchkey/core';

/** Lifetime of a preflight in the cache of a browser, seconds. */
const PREFLIGHT_MAX_AGE = 600;

const ALLOWED_HEADERS = ['Authorization', 'Content-Type', 'X-Org', 'X-Device-Name', 'X-Request-Id'];

/**
 * Creates a middleware that allows cross-origin requests of exactly these origins: the header is echoed for them and
 * missing for all others. Cookies are allowed in cookie mode only.
 */
export function crossOrigin({
  corsOrigins,
  cookieMode,
}: Pick<Settings['http'], 'corsOrigins' | 'cookieMode'>): RequestHandler {
  const allowed = new Set(corsOrigins);
  const permit = cors({
    origin: (origin, decide) => decide(null, origin !== undefined && allowed.has(origin)),
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: cookieMode ? [...ALLOWED_HEADERS, 'X-Auth-Mode'] : ALLOWED_HEADERS,
    credentials: cookieMode,
    exposedHeaders: [
      'X-Total-Count',
      'X-Total-Count-Relation',
      'X-Next-Cursor',
      'X-Request-Id',
      'Retry-After',
      'WWW-Authenticate',
    ],
    maxAge: PREFLIGHT_MAX_AGE,
  });
  return (request, response, next) => {
    // Also when nothing is echoed: a cache must not return that response to an allowed origin.
    response.vary('Origin');
    permit(request, response, next);
  };
}
