import type { ErrorRequestHandler } from 'express';
import { AuthError, type VerifyingAuth } from '@latchkey/core';
import { assertVerifyingAuth } from '@latchkey/http/internal';
import { sendDenial } from './send-denial.js';

/**
 * Creates an error handler that responds to `AuthError`s of your handlers as the routes of the service do. It passes every
 * other error on to the next error handler, as well as an error after the response has started.
 * @throws TypeError when `auth` is not the result of `createAuth` or has been closed.
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
    if (AuthError.is(error) && !response.headersSent) sendDenial(request, response, { error, auth });
    else next(error);
  };
}
