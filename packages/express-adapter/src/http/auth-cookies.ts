import type { ServerResponse } from 'node:http';
import { parseCookie, stringifySetCookie, type SetCookie } from 'cookie';
import type { TokenPair } from '@latchkey/core';

/** The prefix binds a cookie to this very host, HTTPS and all paths (RFC 6265bis section 4.1.3.2). */
export const ACCESS_COOKIE = '__Host-lk_access';

export const REFRESH_COOKIE = '__Host-lk_refresh';

/** Tells scripts that somebody is signed in. The service never reads it. */
const STATE_COOKIE = 'lk_state';

/** What tokens are made of (RFC 6750 section 2.1), and no longer than a browser keeps a cookie. */
const TOKEN = /^[A-Za-z0-9._~+/=-]{1,4096}$/;

/**
 * The token under a name of a `Cookie` header; undefined when the name is not in it. Where the name comes twice nobody
 * can tell which was meant, so that gives an empty text, as does a value no token looks like.
 */
export function tokenInCookie(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(';') ?? [];
  const values = pairs.flatMap((pair) => parseCookie(pair, { decode: asItStands })[name] ?? []);
  const [value] = values;
  if (value === undefined) return undefined;
  return values.length === 1 && TOKEN.test(value) ? value : '';
}

/** Puts tokens into cookies that last as long as they do. @param refreshSeconds how long the refresh token lasts. */
export function setTokenCookies(response: ServerResponse, pair: TokenPair, refreshSeconds: number): void {
  setCookies(response, [
    { name: ACCESS_COOKIE, value: pair.accessToken, maxAge: pair.expiresIn, httpOnly: true },
    { name: REFRESH_COOKIE, value: pair.refreshToken, maxAge: refreshSeconds, httpOnly: true },
    { name: STATE_COOKIE, value: '1', maxAge: refreshSeconds },
  ]);
}

export function clearTokenCookies(response: ServerResponse): void {
  setCookies(response, [
    { name: ACCESS_COOKIE, value: '', maxAge: 0, httpOnly: true },
    { name: REFRESH_COOKIE, value: '', maxAge: 0, httpOnly: true },
    { name: STATE_COOKIE, value: '', maxAge: 0 },
  ]);
}

/** Beside those that a host app may have set on the answer. Too late once it has left. */
function setCookies(response: ServerResponse, cookies: readonly SetCookie[]): void {
  if (response.headersSent) return;
  for (const cookie of cookies) {
    const text = stringifySetCookie({ ...cookie, path: '/', secure: true, sameSite: 'lax' });
    response.appendHeader('Set-Cookie', text);
  }
}

/** Without percent-decoding each token has one spelling. */
const asItStands = (text: string): string => text;
