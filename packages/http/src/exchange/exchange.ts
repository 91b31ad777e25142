import type { HttpRequest } from './http-request.js';
import type { ResponseHeaders } from './response-headers.js';

/** A request and the headers of its response, which every step may add to, whether it succeeds or fails. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly headers: ResponseHeaders;
}
