import type { z } from 'zod';
import type { Auth } from '@latchkey/core';
import { checkInput, checkInputAlongside, isCleanText } from '@latchkey/core/schemas';
import type { Exchange } from '../exchange/exchange.js';
import { isBodyless, readFormBody, readJsonBody } from './json-body.js';
import type { Route } from './route.js';
import type { TokenCookies } from './token-cookies.js';

/** A request whose body is read, and its cookies in cookie mode. */
interface BodyRequest {
  auth: Pick<Auth, 'passwordPolicy'>;
  exchange: Exchange;
  cookies: TokenCookies | undefined;
}

/**
 * Returns the body of a request, validated by the schema of its route. If the route takes a refresh token, the one in the
 * body is used; in cookie mode the cookie replaces a missing one. For a missing or malformed cookie an unknown token is
 * used.
 * @throws AuthError `validation_error`, `forbidden` when this request may not authenticate with a cookie.
 */
export async function readBody(
  route: Route,
  schema: z.ZodType,
  { auth, exchange, ...rest }: BodyRequest,
): Promise<unknown> {
  const cookies = route.takesRefreshToken ? rest.cookies : undefined;
  const mayBeMissing = route.bodyOptional || cookies !== undefined;
  const read = route.bodyType === 'form' ? readFormBody : readJsonBody;
  const body = mayBeMissing && isBodyless(exchange.request) ? {} : await read(exchange);
  const fields =
    cookies && !('refreshToken' in body) ? { ...body, refreshToken: tokenOf(cookies, schema) } : body;
  const field = route.newPassword;
  return field === undefined
    ? checkInput(schema, fields)
    : checkInputAlongside(schema, fields, () => auth.passwordPolicy.faultsIn(fields, { field }));
}

const UNKNOWN_TOKEN = 'none';

function tokenOf(cookies: TokenCookies, schema: z.ZodType): string {
  const refreshToken = cookies.refreshToken() ?? UNKNOWN_TOKEN;
  const fits = isCleanText(refreshToken) && schema.safeParse({ refreshToken }).success;
  return fits ? refreshToken : UNKNOWN_TOKEN;
}
