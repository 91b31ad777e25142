import type { Request, Response } from 'express';
import { AuthError, type Settings, type TokenPair } from '@latchkey/core';
import { tokenPair } from '@latchkey/core/schemas';
import {
  ACCESS_COOKIE,
  clearTokenCookies,
  REFRESH_COOKIE,
  setTokenCookies,
  tokenInCookie,
} from './auth-cookies.js';
import { assertFromOwnPage, assertJsonOnly, assertNotForeign } from './cookie-origin.js';
import type { Route } from './route.js';

export const AUTH_MODE_HEADER = 'x-auth-mode';

/** The tokens of a client in cookie mode: taken from the cookies of its request, put into those of its answer. */
export class TokenCookies {
  readonly #settings: Settings;
  readonly #request: Request;
  readonly #response: Response;
  /** The cookies that spoke for this request. */
  readonly #used = new Set<string>();

  private constructor(settings: Settings, request: Request, response: Response) {
    this.#settings = settings;
    this.#request = request;
    this.#response = response;
  }

  /** Undefined unless cookie mode is on and the request asks for it: then no cookie is read, and none is set. */
  static of(settings: Settings, request: Request, response: Response): TokenCookies | undefined {
    if (!settings.http.cookieMode) return undefined;
    const asksForIt = request.get(AUTH_MODE_HEADER)?.toLowerCase() === 'cookie';
    return asksForIt ? new TokenCookies(settings, request, response) : undefined;
  }

  /** @throws AuthError `forbidden` when this request may not change the cookies that the route changes. */
  assertMayServe({ issuesTokens, takesRefreshToken }: Route): void {
    if (issuesTokens || takesRefreshToken) assertNotForeign(this.#request, this.#settings.http);
    if (takesRefreshToken) assertJsonOnly(this.#request);
  }

  /**
   * Undefined when there is no such cookie, empty when it cannot be used.
   * @throws AuthError `forbidden` when a cookie may not speak for this request.
   */
  accessToken(): string | undefined {
    return this.#take(ACCESS_COOKIE);
  }

  /** The same of the other cookie. */
  refreshToken(): string | undefined {
    return this.#take(REFRESH_COOKIE);
  }

  /** Moves the tokens of an answer into cookies and gives the rest of it; an answer without tokens stays as it is. */
  keep(data: unknown): unknown {
    if (!holdsTokens(data)) return data;
    const { refreshTokenTtl, maxLifetime } = this.#settings.sessions;
    setTokenCookies(this.#response, data, Math.min(refreshTokenTtl, maxLifetime));
    const { accessToken: _access, refreshToken: _refresh, ...rest } = data;
    return rest;
  }

  /** The caller's session has ended. A sign-out clears the cookies whatever token it named. */
  clearAfter({ takesRefreshToken }: Route): void {
    if (takesRefreshToken || this.#used.size > 0) clearTokenCookies(this.#response);
  }

  /**
   * After a refresh that failed they go only if their session is known to have ended: after any other failure they may
   * be good still, or another tab has put newer ones in their place.
   */
  clearIfEnded(error: unknown): void {
    const hasEnded = AuthError.is(error) && error.code === 'session_revoked';
    if (hasEnded && this.#used.has(REFRESH_COOKIE)) clearTokenCookies(this.#response);
  }

  #take(name: string): string | undefined {
    const token = tokenInCookie(this.#request.headers.cookie, name);
    if (token === undefined) return undefined;
    assertFromOwnPage(this.#request, this.#settings.http);
    this.#used.add(name);
    return token;
  }
}

const holdsTokens = (data: unknown): data is TokenPair => tokenPair.safeParse(data).success;
