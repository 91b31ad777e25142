import { AuthError, type RaisedToken, type Settings, type TokenPair } from '@latchkey/core';
import { raisedToken, tokenPair } from '@latchkey/core/schemas';
import type { Exchange } from '../exchange/exchange.js';
import type { ResponseHeaders } from '../exchange/response-headers.js';
import {
  ACCESS_COOKIE,
  clearTokenCookies,
  REFRESH_COOKIE,
  setAccessCookie,
  setTokenCookies,
  tokenInCookie,
} from './auth-cookies.js';
import { assertFromOwnPage, assertJsonOnly, assertNotForeign } from './cookie-origin.js';
import type { Route } from './route.js';
import { trustedDevicesOf } from './trusted-cookie.js';

export const AUTH_MODE_HEADER = 'x-auth-mode';

/** The tokens of a client in cookie mode: read from cookies of the request, set as cookies of the response. */
export class TokenCookies {
  readonly #settings: Settings;
  readonly #exchange: Exchange;
  /** The cookies that authenticated this request. */
  readonly #used = new Set<string>();

  private constructor(settings: Settings, exchange: Exchange) {
    this.#settings = settings;
    this.#exchange = exchange;
  }

  /** Returns undefined unless cookie mode is on and the request asks for it: then no cookie is read or set. */
  static of(settings: Settings, exchange: Exchange): TokenCookies | undefined {
    if (!settings.http.cookieMode) return undefined;
    const mode = exchange.request.headers[AUTH_MODE_HEADER];
    const asksForIt = typeof mode === 'string' && mode.toLowerCase() === 'cookie';
    return asksForIt ? new TokenCookies(settings, exchange) : undefined;
  }

  /** @throws AuthError `forbidden` when this request may not change the cookies that the route changes. */
  assertMayServe({ issuesTokens, takesRefreshToken }: Route): void {
    if (issuesTokens || takesRefreshToken) assertNotForeign(this.#exchange.request, this.#settings.http);
    if (takesRefreshToken) assertJsonOnly(this.#exchange.request);
  }

  /**
   * Returns the access token; undefined without the cookie, empty when the cookie is unusable.
   * @throws AuthError `forbidden` when this request may not authenticate with a cookie.
   */
  accessToken(): string | undefined {
    return this.#take(ACCESS_COOKIE);
  }

  /** Returns the refresh token in the same way. */
  refreshToken(): string | undefined {
    return this.#take(REFRESH_COOKIE);
  }

  /** Returns the secrets of the browser as a trusted device; undefined if the route creates no session, and while no device can be trusted. */
  trustedDevices(route: Route): string[] | undefined {
    return trustedDevicesOf(this.#settings, route, this.#exchange.request);
  }

  /** Moves the tokens of a response into cookies and returns the rest. A response without tokens is unchanged. */
  keep(data: unknown): unknown {
    return keepTokens(this.#exchange.headers, data, this.#settings);
  }

  /** Clears the cookies after the session of the caller has ended. A sign-out clears them whatever token it named. */
  clearAfter({ takesRefreshToken }: Route): void {
    if (takesRefreshToken || this.#used.size > 0) clearTokenCookies(this.#exchange.headers);
  }

  /**
   * Clears the cookies after a failed refresh, but only if their session has ended: after any other failure they may still
   * be valid, or another tab may have replaced them.
   */
  clearIfEnded(error: unknown): void {
    const hasEnded = AuthError.is(error) && error.code === 'session_revoked';
    if (hasEnded && this.#used.has(REFRESH_COOKIE)) clearTokenCookies(this.#exchange.headers);
  }

  #take(name: string): string | undefined {
    const { request } = this.#exchange;
    const token = tokenInCookie(request, name);
    if (token === undefined) return undefined;
    assertFromOwnPage(request, this.#settings.http);
    this.#used.add(name);
    return token;
  }
}

/** Sets cookies with the tokens of a response and returns the rest. */
export function keepTokens(headers: ResponseHeaders, data: unknown, { sessions }: Settings): unknown {
  if (holdsTokens(data)) {
    setTokenCookies(headers, data, Math.min(sessions.refreshTokenTtl, sessions.maxLifetime));
    const { accessToken: _access, refreshToken: _refresh, ...rest } = data;
    return rest;
  }
  if (!isRaisedToken(data)) return data;
  setAccessCookie(headers, data);
  const { accessToken: _access, ...rest } = data;
  return rest;
}

const isRaisedToken = (data: unknown): data is RaisedToken => raisedToken.safeParse(data).success;

/** Returns whether the result of a route contains the tokens of a session. */
export const holdsTokens = (data: unknown): data is TokenPair => tokenPair.safeParse(data).success;
