import cors from 'cors';
import type { RequestHandler } from 'express';

/** How long a browser may remember a preflight, seconds. */
const PREFLIGHT_MAX_AGE = 600;

/** Lets browsers of exactly these origins call; the header is echoed for them and missing for all others. */
export function crossOrigin(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins);
  return cors({
    origin: (origin, decide) => decide(null, origin !== undefined && allowed.has(origin)),
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'X-Org', 'X-Device-Name', 'X-Request-Id'],
    exposedHeaders: ['X-Total-Count', 'X-Next-Cursor', 'X-Request-Id', 'Retry-After'],
    maxAge: PREFLIGHT_MAX_AGE,
  });
}
