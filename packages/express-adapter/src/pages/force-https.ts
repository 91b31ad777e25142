import type { Request, RequestHandler } from 'express';
import { basePathOf } from './base-path.js';

/**
 * Sends people who came by plain HTTP to the same page by HTTPS. Behind a proxy the app's `trust proxy` decides whose
 * word counts on that. The host is that of the public address: the one in the request could be anybody's.
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

/** As it was sent. The path is not: a request line may name a whole address, and a proxy may have cut a prefix off. */
const queryOf = ({ url }: Request): string => /\?.*/.exec(url)?.[0] ?? '';
