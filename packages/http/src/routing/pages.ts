import type { Auth } from '@latchkey/core';
import type { Exchange } from '../exchange/exchange.js';
import type { HttpResponse } from '../exchange/http-response.js';
import type { Endpoint } from './endpoint.js';
import { endpointNotFound } from './error-response.js';

/** The pages of a service: `authPages` of `@latchkey/pages`. */
export interface Pages {
  (auth: Auth): readonly Endpoint[];
  /** Returns the page for a browser that opens a path that does not exist; undefined for other clients. */
  readonly notFound?: (auth: Auth, exchange: Exchange) => HttpResponse | undefined;
}

/** Returns what responds where no endpoint does: a page for browsers if the host has pages. */
export const notFoundOf =
  (auth: Auth, pages?: Pages) =>
  (exchange: Exchange): HttpResponse =>
    pages?.notFound?.(auth, exchange) ?? endpointNotFound(exchange, auth);
