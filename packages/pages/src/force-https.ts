import type { Exchange, HttpResponse } from '@latchkey/http/internal';
import { basePathOf } from './base-path.js';

/**
 * Returns the redirect of a request over plain HTTP to the same page over HTTPS. The host is that of the public address: the
 * client controls the one in the request. The path may differ from the requested one: a proxy may have removed a prefix.
 */
export function httpsRedirect(baseUrl: string, { request, headers }: Exchange): HttpResponse | undefined {
  if (request.isSecure) return undefined;
  const { host } = new URL(baseUrl);
  const query = request.query === '' ? '' : `?${request.query}`;
  // The parser of addresses encodes what a header must not contain.
  const target = new URL(`https://${host}${basePathOf(baseUrl, request)}${request.path}${query}`);
  headers.set('Location', target.href);
  headers.set('Content-Length', '0');
  return { status: 308, headers };
}
