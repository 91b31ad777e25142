import type { IncomingMessage } from 'node:http';
import type { VerifyingAuth } from '@latchkey/core';
import type { Credentials } from '../callers/caller.js';
import { ACCESS_COOKIE, tokenInCookie } from '../http/auth-cookies.js';
import { assertOwnOrigin } from '../http/cookie-origin.js';
import { readHeader } from '../http/request-input.js';

/** RFC 9110 section 9.2.1. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The credentials of a request to a route of the host app.
 *
 * The cookie needs no `X-Auth-Mode`: a browser that opens a page cannot send one. JSON is not asked for either, since
 * host apps have forms. What keeps other sites out is SameSite=Lax, by which their forms and scripts come without the
 * cookie, and the Origin for pages of the same site, which are no strangers to SameSite.
 */
export function credentialsOf(
  request: IncomingMessage,
  auth: VerifyingAuth,
  takesCookies: boolean,
): Credentials {
  return {
    header: (name) => readHeader(request, name),
    cookieToken: () => (takesCookies ? cookieTokenOf(request, auth) : undefined),
  };
}

/** @throws AuthError `forbidden` when a page that is not allowed to wants to change something. */
function cookieTokenOf(request: IncomingMessage, { settings: { http } }: VerifyingAuth): string | undefined {
  const token = tokenInCookie(request.headers.cookie, ACCESS_COOKIE);
  if (token !== undefined && mayChange(request)) assertOwnOrigin(request, http);
  return token;
}

/** A WebSocket begins with a GET that no page needs permission for, and can do anything afterwards. */
const mayChange = ({ method = '', headers: { upgrade = '' } }: IncomingMessage): boolean =>
  !SAFE_METHODS.has(method) || /\bwebsocket\b/i.test(upgrade);
