import type { Auth } from '@latchkey/core';
import { getOnly, type Endpoint, type Exchange, type HttpResponse } from '@latchkey/http/internal';

/**
 * Returns pages and, for each path, a redirect from the same path with a slash at the end: people type it, and links have it.
 * Routes have no such redirect: a program that uses another spelling has a mistake.
 */
export const withSlashRedirects = (auth: Auth, pages: readonly Endpoint[]): Endpoint[] => [
  ...pages,
  ...pages
    // The last variable takes the slash, too.
    .filter(({ path }) => !path.includes('{+'))
    .map(({ path }) => getOnly(auth, { path: `${path}/`, serve: redirectResponse })),
];

/** The target is relative, so it is right under any prefix that a proxy has removed. */
function redirectResponse({ request, headers }: Exchange): HttpResponse {
  const query = request.query === '' ? '' : `?${request.query}`;
  // The parser of addresses encodes what a header must not contain.
  const { pathname, search } = new URL(`http://localhost${request.path.slice(0, -1)}${query}`);
  headers.set('Location', `../${pathname.slice(pathname.lastIndexOf('/') + 1)}${search}`);
  headers.set('Content-Length', '0');
  return { status: 308, headers };
}
