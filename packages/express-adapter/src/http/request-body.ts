import type { Request, Response } from 'express';
import type { z } from 'zod';
import { isBodyless, readJsonBody } from './json-body.js';
import { parseInput } from './request-input.js';
import type { Route } from './route.js';
import type { TokenCookies } from './token-cookies.js';

/** A request, its answer to be, and its cookies if it is in cookie mode. */
export interface Exchange {
  request: Request;
  response: Response;
  cookies: TokenCookies | undefined;
}

/**
 * The body a route asks for. Where it asks for a refresh token, that of the body decides; in cookie mode the cookie's
 * stands in for a missing one, and an empty text, the refresh token of nobody, for a missing cookie.
 * @throws AuthError `validation_error`, `forbidden` when a cookie may not speak for this request.
 */
export async function readBody(route: Route, schema: z.ZodType, exchange: Exchange): Promise<unknown> {
  const { request, response } = exchange;
  const cookies = route.takesRefreshToken ? exchange.cookies : undefined;
  const mayBeMissing = route.bodyOptional || cookies !== undefined;
  const body = mayBeMissing && isBodyless(request) ? {} : await readJsonBody(request, response);
  if (cookies && !('refreshToken' in body)) return { refreshToken: cookies.refreshToken() ?? '' };
  return parseInput(schema, body, 'body');
}
