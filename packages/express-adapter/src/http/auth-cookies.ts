import type { ServerResponse } from 'node:http';
import { parseCookie, stringifySetCookie, type SetCookie } from 'cookie';
import type { TokenPair } from '@latchkey/core';

/** The prefix binds a cookie to this host, HTTPS and all paths (RFC 6265bis section 4.1.3.2). */
export const ACCESS_COOKIE = '__Host-lk_access';

export const REFRESH_COOKIE = '__Host-lk_refresh';

/** Recognizes a browser when its user signs in again. */
export const DEVICE_COOKIE = '__Host-lk_device';

/** The longest time for which browsers keep a cookie (RFC 6265bis section 5.5): 400 days. */
const DEVICE_COOKIE_SECONDS = 400 * 86_400;

/** Shows scripts that a user is signed in. The service never reads it. */
const STATE_COOKIE = 'lk_state';

/** The characters of a token (RFC 6750 section 2.1), up to the length that browsers keep. */
const TOKEN = /^[A-Za-z0-9._~+/=-]{1,4096}$/;

/**
 * Returns the token with this name in a `Cookie` header, or undefined if there is none. Returns an empty string if the
 * name occurs more than once, since it is unknown which one was meant, and if the value is not a token.
 */
export function tokenInCookie(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(';') ?? [];
  const values = pairs.flatMap((pair) => parseCookie(pair, { decode: undecoded })[name] ?? []);
  const [value] = values;
  if (value === undefined) return undefined;
  return values.length === 1 && TOKEN.test(value) ? value : '';
}

/** Sets cookies that last as long as their tokens. @param refreshSeconds lifetime of the refresh token. */
export function setTokenCookies(response: ServerResponse, pair: TokenPair, refreshSeconds: number): void {
  setCookies(response, [
    accessCookie(pair),
    { name: REFRESH_COOKIE, value: pair.refreshToken, maxAge: refreshSeconds, httpOnly: true },
    { name: STATE_COOKIE, value: '1', maxAge: refreshSeconds },
  ]);
}

/** Replaces the access token; the refresh token stays. */
export function setAccessCookie(
  response: ServerResponse,
  token: Pick<TokenPair, 'accessToken' | 'expiresIn'>,
): void {
  setCookies(response, [accessCookie(token)]);
}

/** Sets the id of the browser. A sign-out keeps it. */
export function setDeviceCookie(response: ServerResponse, value: string): void {
  setCookies(response, [{ name: DEVICE_COOKIE, value, maxAge: DEVICE_COOKIE_SECONDS, httpOnly: true }]);
}

export function clearTokenCookies(response: ServerResponse): void {
  setCookies(response, [
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

/** Adds cookies to those that a host app may have set. Does nothing once the headers have been sent. */
function setCookies(response: ServerResponse, cookies: readonly SetCookie[]): void {
  if (response.headersSent) return;
  for (const cookie of cookies) {
    const text = stringifySetCookie({ ...cookie, path: '/', secure: true, sameSite: 'lax' });
    response.appendHeader('Set-Cookie', text);
  }
}

/** Without percent-decoding, each token has one spelling. */
const undecoded = (text: string): string => text;
