import type { Settings } from '@latchkey/core';
import type { HttpRequest } from '../exchange/http-request.js';
import type { ResponseHeaders } from '../exchange/response-headers.js';
import { setTrustedCookie, TRUSTED_COOKIE, tokenInCookie } from './auth-cookies.js';
import type { Route } from './route.js';

const SEPARATOR = '.';
/** Secrets that the service gives a browser at most; a cookie with more is not from it. */
const MAX_SECRETS = 5;

/**
 * Returns the secrets by which a browser in cookie mode is known as a trusted device, for a route that signs users in. Undefined while no
 * device can be trusted.
 */
export function trustedDevicesOf(
  { trustedDevices: { days } }: Settings,
  { issuesTokens, takesRefreshToken }: Pick<Route, 'issuesTokens' | 'takesRefreshToken'>,
  request: HttpRequest,
): string[] | undefined {
  if (days === 0 || !issuesTokens || takesRefreshToken) return undefined;
  const value = tokenInCookie(request, TRUSTED_COOKIE) ?? '';
  return value === '' ? [] : value.split(SEPARATOR).slice(0, MAX_SECRETS);
}

/** Sets the cookie of a browser that its user has just trusted, and leaves other results alone. */
export function keepTrustedDevice(headers: ResponseHeaders, result: unknown): void {
  const { trusted } = (result ?? {}) as { trusted?: { secrets: readonly string[]; maxAgeSeconds: number } };
  if (trusted) setTrustedCookie(headers, trusted.secrets.join(SEPARATOR), trusted.maxAgeSeconds);
}
