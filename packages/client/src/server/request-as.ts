import { Requester, type RequestFunction } from '../api/requester.js';

/** The options of calls by a server. */
export interface ServerOptions {
  /** The address of the service, such as `https://auth.example.com`. */
  baseUrl: string;
  /** Sends the requests. Defaults to the global `fetch`. */
  fetch?: typeof fetch;
}

/** The cookie of the access token in cookie mode. */
const ACCESS_COOKIE = '__Host-lk_access';

/**
 * Returns a function that calls routes as the user of a request that this server has received, by its bearer token or, in cookie
 * mode, its cookie. It renews nothing, because the browser has the tokens: `unauthorized` without a valid one.
 *
 * @example
 * const request = requestAs(new Headers({ cookie: '' }), { baseUrl: 'http://localhost:3097' });
 * typeof request; // → 'function'
 */
export function requestAs(
  headers: Pick<Headers, 'get'>,
  { baseUrl, fetch: send = (...args) => fetch(...args) }: ServerOptions,
): RequestFunction {
  const accessToken = bearerToken(headers) ?? cookieOf(headers);
  const sendAs = (request: Request, token: string | undefined): Promise<Response> => {
    request.headers.set('accept', 'application/problem+json, application/json');
    if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`);
    // A framework must not answer one user with what it has kept for another.
    return send(request, { cache: 'no-store' });
  };
  return new Requester(baseUrl.replace(/\/+$/, ''), {
    signedIn: (request) => sendAs(request, accessToken),
    anonymous: (request) => sendAs(request, undefined),
  }).request;
}

/**
 * Returns the address of the sign-in page that leads back to a path of the app. A browser whose session is valid returns at once, with a
 * new access token.
 *
 * @example
 * signInUrl('https://example.com/id', '/invoices'); // → 'https://example.com/id/login?returnTo=%2Finvoices'
 */
export const signInUrl = (baseUrl: string, returnTo: string): string =>
  `${baseUrl.replace(/\/+$/, '')}/login?returnTo=${encodeURIComponent(returnTo)}`;

const bearerToken = (headers: Pick<Headers, 'get'>): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];

const cookieOf = (headers: Pick<Headers, 'get'>): string | undefined =>
  (headers.get('cookie') ?? '')
    .split(/; */)
    .find((pair) => pair.startsWith(`${ACCESS_COOKIE}=`))
    ?.slice(ACCESS_COOKIE.length + 1);
