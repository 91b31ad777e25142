import cors from 'cors';
import type { RequestHandler } from 'express';
import type { Settings } from '@latchkey/core';

/** How long a browser may remember a preflight, seconds. */
const PREFLIGHT_MAX_AGE = 600;

const ALLOWED_HEADERS = ['Authorization', 'Content-Type', 'X-Org', 'X-Device-Name', 'X-Request-Id'];

/**
 * Lets browsers of exactly these origins call; the header is echoed for them and missing for all others. Cookies come
 * along in cookie mode only.
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
    exposedHeaders: ['X-Total-Count', 'X-Next-Cursor', 'X-Request-Id', 'Retry-After', 'WWW-Authenticate'],
    maxAge: PREFLIGHT_MAX_AGE,
  });
  return (request, response, next) => {
    // Also where nothing is echoed: a cache must not give that answer to a page that may call.
    response.vary('Origin');
    permit(request, response, next);
  };
}
