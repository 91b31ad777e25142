import type { RequestHandler } from 'express';
import type { Auth } from '@latchkey/core';

/** Counts and times what is answered after it. @param route the pattern of the path. */
export const measured =
  ({ metrics: { http } }: Pick<Auth, 'metrics'>, route: string): RequestHandler =>
  ({ method }, response, next) => {
    const beganAt = http.begin();
    response.once('close', () => http.end(beganAt, { route, method, status: response.statusCode }));
    next();
  };
