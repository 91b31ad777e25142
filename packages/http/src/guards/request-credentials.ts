import type { VerifyingAuth } from '@latchkey/core';
import type { Credentials } from '../callers/caller.js';
import type { HttpRequest } from '../exchange/http-request.js';
import { readHeader } from '../exchange/request-input.js';
import { ACCESS_COOKIE, tokenInCookie } from '../routing/auth-cookies.js';
import { assertOwnOrigin } from '../routing/cookie-origin.js';

/** RFC 9110 section 9.2.1. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns the credentials of a request to a route of the host app.
 *
 * The cookie requires no `X-Auth-Mode`: a browser that opens a page cannot send it. JSON is not required either, since
 * host apps have forms. Other sites are kept out by SameSite=Lax, which omits the cookie from their forms and scripts.
 * Other origins of the same site are kept out by the `Origin` check.
 */
export function credentialsOf(request: HttpRequest, auth: VerifyingAuth, takesCookies: boolean): Credentials {
  return {
    header: (name) => readHeader(request, name),
    cookieToken: () => (takesCookies ? cookieTokenOf(request, auth) : undefined),
  };
}

/** @throws AuthError `forbidden` when a page of another origin makes a request that can change state. */
function cookieTokenOf(request: HttpRequest, { settings: { http } }: VerifyingAuth): string | undefined {
  const token = tokenInCookie(request, ACCESS_COOKIE);
  if (token !== undefined && mayChange(request)) assertOwnOrigin(request, http);
  return token;
}

/** A WebSocket starts with a GET that any page may send, and can change state afterwards. */
const mayChange = ({ method, headers: { upgrade = '' } }: HttpRequest): boolean =>
  !SAFE_METHODS.has(method) || /\bwebsocket\b/i.test(String(upgrade));
