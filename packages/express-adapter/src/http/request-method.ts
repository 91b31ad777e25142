import type { IncomingMessage } from 'node:http';

/**
 * Returns the method of a request in upper case, with `GET` for `HEAD`, whose body Node omits (RFC 9110 section 9.3.2).
 */
export const methodOf = ({ method = '' }: Pick<IncomingMessage, 'method'>): string =>
  method === 'HEAD' ? 'GET' : method;
