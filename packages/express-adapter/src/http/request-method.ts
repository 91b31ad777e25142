import type { IncomingMessage } from 'node:http';

/**
 * Returns the method that a request counts as, in capitals: `HEAD` is `GET`, whose body Node leaves out
 * (RFC 9110 section 9.3.2).
 */
export const methodOf = ({ method = '' }: Pick<IncomingMessage, 'method'>): string =>
  method === 'HEAD' ? 'GET' : method;
