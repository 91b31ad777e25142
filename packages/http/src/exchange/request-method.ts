import type { HttpRequest } from './http-request.js';

/** Returns the method of a request, with `GET` for `HEAD`, whose response has no body (RFC 9110 section 9.3.2). */
export const methodOf = ({ method }: Pick<HttpRequest, 'method'>): string =>
  method === 'HEAD' ? 'GET' : method;
