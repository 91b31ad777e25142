import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Auth } from '@latchkey/core';
import { checkInput, isCleanText } from '@latchkey/core/schemas';
import { isBodyless, readJsonBody } from './json-body.js';
import type { Route } from './route.js';
import type { TokenCookies } from './token-cookies.js';

/** A request, its answer to be, and its cookies if it is in cookie mode. */
export interface Exchange {
  auth: Pick<Auth, 'passwordPolicy'>;
  request: Request;
  response: Response;
  cookies: TokenCookies | undefined;
}

/**
 * The body a route asks for. Where it asks for a refresh token, that of the body decides; in cookie mode the cookie's
 * stands in for a missing one, and the refresh token of nobody for a cookie that is missing or damaged.
 * @throws AuthError `validation_error`, `forbidden` when a cookie may not speak for this request.
 */
export async function readBody(
  route: Route,
  schema: z.ZodType,
  { auth, request, response, ...exchange }: Exchange,
): Promise<unknown> {
  const cookies = route.takesRefreshToken ? exchange.cookies : undefined;
  const mayBeMissing = route.bodyOptional || cookies !== undefined;
  const body = mayBeMissing && isBodyless(request) ? {} : await readJsonBody(request, response);
  const fields =
    cookies && !('refreshToken' in body) ? { ...body, refreshToken: tokenOf(cookies, schema) } : body;
  const field = route.newPassword;
  return checkInput(schema, fields, 'body', () =>
    field === undefined ? [] : auth.passwordPolicy.faultsIn(fields, { field }),
  );
}

const NOBODYS_TOKEN = 'none';

function tokenOf(cookies: TokenCookies, schema: z.ZodType): string {
  const refreshToken = cookies.refreshToken() ?? NOBODYS_TOKEN;
  const fits = isCleanText(refreshToken) && schema.safeParse({ refreshToken }).success;
  return fits ? refreshToken : NOBODYS_TOKEN;
}
