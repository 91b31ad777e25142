import { parseCookie, stringifySetCookie, type SetCookie } from 'cookie';
import type { TokenPair } from '@latchkey/core';
import type { HttpRequest } from '../exchange/http-request.js';
import type { ResponseHeaders } from '../exchange/response-headers.js';

/** The prefix binds a cookie to this host, HTTPS and all paths (RFC 6265bis section 4.1.3.2). */
export const ACCESS_COOKIE = '__Host-lk_access';

export const REFRESH_COOKIE = '__Host-lk_refresh';

/** Recognizes a browser when its user signs in again. */
export const DEVICE_COOKIE = '__Host-lk_device';

/** The secrets of a trusted device, of each user who has trusted this browser. */
export const TRUSTED_COOKIE = '__Host-lk_trusted';

/** The longest time for which browsers keep a cookie (RFC 6265bis section 5.5): 400 days. */
const DEVICE_COOKIE_SECONDS = 400 * 86_400;

/** Shows scripts that a user is signed in. The service never reads it. */
const STATE_COOKIE = 'lk_state';

/** The characters of a token (RFC 6750 section 2.1), up to the length that browsers keep. */
const TOKEN = /^[A-Za-z0-9._~+/=-]{1,4096}$/;

/**
 * Returns the token with this name in the `Cookie` header, or undefined if there is none. Returns an empty string if the
 * name occurs more than once, since it is unknown which one was meant, and if the value is not a token.
 */
export function tokenInCookie(
  { headers: { cookie } }: Pick<HttpRequest, 'headers'>,
  name: string,
): string | undefined {
  const pairs = typeof cookie === 'string' ? cookie.split(';') : [];
  const values = pairs.flatMap((pair) => parseCookie(pair, { decode: undecoded })[name] ?? []);
  const [value] = values;
  if (value === undefined) return undefined;
  return values.length === 1 && TOKEN.test(value) ? value : '';
}

/** Sets cookies that last as long as their tokens. @param refreshSeconds lifetime of the refresh token. */
export function setTokenCookies(headers: ResponseHeaders, pair: TokenPair, refreshSeconds: number): void {
  setCookies(headers, [
    accessCookie(pair),
    { name: REFRESH_COOKIE, value: pair.refreshToken, maxAge: refreshSeconds, httpOnly: true },
    { name: STATE_COOKIE, value: '1', maxAge: refreshSeconds },
  ]);
}

/** Replaces the access token; the refresh token stays. */
export function setAccessCookie(
  headers: ResponseHeaders,
  token: Pick<TokenPair, 'accessToken' | 'expiresIn'>,
): void {
  setCookies(headers, [accessCookie(token)]);
}

/** Sets the id of the browser. A sign-out keeps it. */
export function setDeviceCookie(headers: ResponseHeaders, value: string): void {
  setCookies(headers, [{ name: DEVICE_COOKIE, value, maxAge: DEVICE_COOKIE_SECONDS, httpOnly: true }]);
}

/** Sets the secrets of a trusted device. A sign-out keeps them. */
export function setTrustedCookie(headers: ResponseHeaders, value: string, maxAge: number): void {
  setCookies(headers, [{ name: TRUSTED_COOKIE, value, maxAge, httpOnly: true }]);
}

export function clearTokenCookies(headers: ResponseHeaders): void {
  setCookies(headers, [
    { name: ACCESS_COOKIE, value: '', maxAge: 0, httpOnly: true },
    { name: REFRESH_COOKIE, value: '', maxAge: 0, httpOnly: true },
    { name: STATE_COOKIE, value: '', maxAge: 0 },
  ]);
}

const accessCookie = ({
  accessToken,
  expiresIn,
}: Pick<TokenPair, 'accessToken' | 'expiresIn'>): SetCookie => ({
  name: ACCESS_COOKIE,
  value: accessToken,
  maxAge: expiresIn,
  httpOnly: true,
});

function setCookies(headers: ResponseHeaders, cookies: readonly SetCookie[]): void {
  for (const cookie of cookies) {
    const text = stringifySetCookie({ ...cookie, path: '/', secure: true, sameSite: 'lax' });
    headers.append('Set-Cookie', text);
  }
}

/** Without percent-decoding, each token has one spelling. */
const undecoded = (text: string): string => text;
