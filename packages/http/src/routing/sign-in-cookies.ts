import type { Auth, RaisedToken, SignInResult } from '@latchkey/core';
import { ResponseHeaders } from '../exchange/response-headers.js';
import { keepTokens } from './token-cookies.js';

/**
 * Returns the `Set-Cookie` headers of a result, for a route of the app that signs users in by `auth.signIn.begin` or raises their
 * session by `auth.stepUp.confirmedBy`: those that the routes set in cookie mode. None while a second factor is awaited. The route
 * has to make sure that the request comes from a page of the app.
 * @throws TypeError while cookie mode is off: the service would read no cookie.
 * @example
 * ```ts
 * const { id: userId } = await kit.user();
 * const result = await auth.signIn.begin({ userId, method: 'mailed link', amr: ['otp'] });
 * signInCookies(auth, result); // →! /cookie mode is off/
 * ```
 */
export function signInCookies({ settings }: Auth, result: SignInResult | RaisedToken): string[] {
  if (!settings.http.cookieMode) {
    throw new TypeError(
      'signInCookies: cookie mode is off, so no cookie would be read. Set AUTH_WEB_COOKIE_MODE=true, or return the tokens in the body.',
    );
  }
  const headers = new ResponseHeaders();
  keepTokens(headers, result, settings);
  return [...headers].map(([, value]) => value);
}
