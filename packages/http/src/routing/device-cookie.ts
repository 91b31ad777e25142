import type { Auth } from '@latchkey/core';
import type { Exchange } from '../exchange/exchange.js';
import type { HttpRequest } from '../exchange/http-request.js';
import type { ResponseHeaders } from '../exchange/response-headers.js';
import { DEVICE_COOKIE, setDeviceCookie, tokenInCookie } from './auth-cookies.js';
import type { Route } from './route.js';

type DeviceIds = NonNullable<Auth['deviceIds']>;

/** The id by which a browser is recognized when its user signs in again. It is a cookie, and grants nothing. */
export class DeviceCookie {
  readonly id: string;
  readonly #ids: DeviceIds;

  private constructor(ids: DeviceIds, id: string) {
    this.#ids = ids;
    this.id = id;
  }

  /**
   * Returns the device that signs in. A browser without the cookie gets an id only in cookie mode: the pages set theirs when
   * they are opened, and no other client wants a cookie.
   */
  static ofSignIn(
    { deviceIds }: Auth,
    { issuesTokens, takesRefreshToken }: Route,
    request: HttpRequest,
    { isCookieMode }: { isCookieMode: boolean },
  ): DeviceCookie | undefined {
    if (!deviceIds || !issuesTokens || takesRefreshToken) return undefined;
    const known = knownId(deviceIds, request);
    if (known === undefined && !isCookieMode) return undefined;
    return new DeviceCookie(deviceIds, known ?? deviceIds.create());
  }

  /** Gives a browser that opens a page with a sign-in an id, unless it has one. */
  static assign({ deviceIds }: Auth, { request, headers }: Exchange): void {
    if (!deviceIds || knownId(deviceIds, request) !== undefined) return;
    new DeviceCookie(deviceIds, deviceIds.create()).keep(headers);
  }

  /** Sets the cookie, also one that the browser has: so it is kept as long as the user signs in, and signed by the current key. */
  keep(headers: ResponseHeaders): void {
    setDeviceCookie(headers, this.#ids.sign(this.id));
  }
}

function knownId(ids: DeviceIds, request: HttpRequest): string | undefined {
  const value = tokenInCookie(request, DEVICE_COOKIE);
  return value === undefined ? undefined : ids.verify(value);
}
