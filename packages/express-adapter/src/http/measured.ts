import type { RequestHandler } from 'express';
import type { Auth } from '@latchkey/core';
import { rememberRoute } from './request-facts.js';

/** Creates a middleware that counts and times responses. @param route the pattern of the path. */
export function measured({ metrics: { http } }: Pick<Auth, 'metrics'>, route: string): RequestHandler {
  http.announce(route);
  return (request, response, next) => {
    const { method } = request;
    rememberRoute(request, route);
    const beganAt = http.begin();
    response.once('close', () => http.end(beganAt, { route, method, status: response.statusCode }));
    next();
  };
}
