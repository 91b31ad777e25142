import type { Request, RequestHandler } from 'express';
import { basePathOf } from './base-path.js';

/**
 * Creates a middleware that redirects plain HTTP to the same page over HTTPS. Behind a proxy, the app's `trust proxy`
 * decides which forwarded protocol counts. The host is that of the public address: the client controls the one in the
 * request.
 */
export function forceHttps(baseUrl: string): RequestHandler {
  const { host } = new URL(baseUrl);
  return (request, response, next) => {
    if (request.secure) next();
    else
      response.redirect(
        308,
        `https://${host}${basePathOf(baseUrl, request)}${request.path}${queryOf(request)}`,
      );
  };
}

/** Returns the query as it was sent. The path may differ: a proxy may have removed a prefix. */
const queryOf = ({ url }: Request): string => /\?.*/.exec(url)?.[0] ?? '';
