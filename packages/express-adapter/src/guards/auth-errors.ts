import type { ErrorRequestHandler } from 'express';
import { AuthError, type VerifyingAuth } from '@latchkey/core';
import { assertVerifyingAuth } from '../assert-auth.js';
import { sendDenial } from './send-denial.js';

/**
 * Answers the `AuthError`s of your handlers as the service's routes do. Every other error goes on to the next error
 * handler as it came, and so does one that comes after the answer has begun.
 * @throws TypeError when `auth` is not what `createAuth` gave, or has been closed.
 * @example
 * ```ts
 * app.get('/invoices/:id', () => {
 *   throw AuthError.notFound('The invoice');
 * });
 * app.use(authErrors(auth));
 * const server = app.listen(0);
 * const { port } = server.address() as { port: number };
 * (await fetch(`http://127.0.0.1:${port}/invoices/7`)).status; // → 404
 * server.close();
 * ```
 */
export function authErrors(auth: VerifyingAuth): ErrorRequestHandler {
  assertVerifyingAuth(auth, 'app.use(authErrors(auth)), after your routes');
  return (error: unknown, request, response, next) => {
    if (AuthError.is(error) && !response.headersSent) sendDenial({ request, response }, error, auth);
    else next(error);
  };
}
