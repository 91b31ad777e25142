import cors from 'cors';
import type { Settings } from '@latchkey/core';
import type { Exchange } from '../exchange/exchange.js';
import type { HttpResponse } from '../exchange/http-response.js';

/** Lifetime of a preflight in the cache of a browser, seconds. */
const PREFLIGHT_MAX_AGE = 600;

const ALLOWED_HEADERS = ['Authorization', 'Content-Type', 'X-Org', 'X-Device-Name', 'X-Request-Id'];

/** Adds the headers of cross-origin requests to a response. Returns the response to a preflight. */
type CrossOrigin = (exchange: Exchange) => HttpResponse | undefined;

/**
 * Allows cross-origin requests of exactly these origins: the header is echoed for them and missing for all others. Cookies are
 * allowed in cookie mode only.
 */
export function crossOrigin({
  corsOrigins,
  cookieMode,
}: Pick<Settings['http'], 'corsOrigins' | 'cookieMode'>): CrossOrigin {
  if (corsOrigins.length === 0) return () => undefined;
  const allowed = new Set(corsOrigins);
  const permit = cors({
    origin: (origin, decide) => decide(null, origin !== undefined && allowed.has(origin)),
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
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
  return (exchange) => {
    // Also when nothing is echoed: a cache must not return that response to an allowed origin.
    exchange.headers.vary('Origin');
    return permitted(permit, exchange);
  };
}

/** Runs the middleware on what it needs of a request and a response of Node.js. */
function permitted(
  permit: ReturnType<typeof cors>,
  { request, headers }: Exchange,
): HttpResponse | undefined {
  let preflight: HttpResponse | undefined;
  const response = {
    statusCode: 200,
    getHeader: () => undefined,
    setHeader: (name: string, value: string) => {
      if (name === 'Vary') headers.vary(value);
      else headers.set(name, value);
    },
    end: () => (preflight = { status: response.statusCode, headers }),
  };
  const { method, headers: sent } = request;
  permit({ method, headers: sent }, response, () => undefined);
  return preflight;
}
