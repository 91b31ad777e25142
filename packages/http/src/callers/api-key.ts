import { AuthError, type Actor, type Principal, type VerifyingAuth } from '@latchkey/core';
import { isNamedApiKey } from '@latchkey/core/schemas';
import { ACCESS_COOKIE } from '../routing/auth-cookies.js';
import type { Credentials } from './caller.js';
import { INTERNAL_KEY_HEADER, SERVICE_TOKEN_HEADER } from './machine-headers.js';

/** RFC 6750 section 2.1, the scheme in any case. */
const BEARER = /^bearer +([A-Za-z0-9._~+/=-]+)$/i;
/** The start of a header that presents an API key. */
const NAMED_KEY = /^\s*bearer +lkk_/i;

/** Returns the Bearer token of an `Authorization` header; undefined for another scheme. */
export const bearerOf = (authorization: string): string | undefined => BEARER.exec(authorization.trim())?.[1];

/**
 * Returns the API key of a request: the Bearer token of its `Authorization` header, and nothing else. Undefined for other
 * credentials, and while API keys are off.
 * @throws AuthError `validation_error` for a key beside another credential.
 */
export function apiKeyOf(
  request: Credentials,
  { settings }: Pick<VerifyingAuth, 'settings'>,
): string | undefined {
  const authorization = request.header('authorization');
  if (authorization === undefined || settings.apiKeys.mode === 'off') return undefined;
  // An access token is read by its own caller; reading all of it twice would be felt.
  const token = NAMED_KEY.test(authorization) ? bearerOf(authorization) : undefined;
  if (token === undefined || !isNamedApiKey(token)) return undefined;
  const isAlone =
    request.header(INTERNAL_KEY_HEADER) === undefined &&
    request.header(SERVICE_TOKEN_HEADER) === undefined &&
    !(settings.http.cookieMode && hasAccessCookie(request));
  if (isAlone) return token;
  throw AuthError.validation('Authorization: an API key must be the only credential of a request');
}

/** The error for an API key where it is not accepted. */
export const notWithApiKey = (): AuthError =>
  AuthError.forbidden('This is not possible with an API key. Sign in as a user.', 'not_with_api_key');

/** Returns a caller as audit rows name them: a key of a company is no user. */
export const principalActor = (principal: Principal): Actor =>
  principal.kind === 'api-key' && principal.apiKey.kind === 'COMPANY'
    ? { kind: 'anonymous' }
    : { kind: 'user', userId: principal.userId };

const hasAccessCookie = (request: Credentials): boolean =>
  request.header('cookie')?.includes(`${ACCESS_COOKIE}=`) ?? false;
