import type { IncomingMessage } from 'node:http';
import type { VerifyingAuth } from '@latchkey/core';
import { type HttpRequest, withDeadline } from '@latchkey/http/internal';
import { assertIsMiddlewareCall } from './assert-use.js';
import { expressRequest } from './express-request.js';
import type { Guard } from './guard.js';
import { sendDenial } from './send-denial.js';

/**
 * Creates a middleware from a check.
 * @param name for messages: `requireAuth`.
 * @param check takes the request and the pattern of its route. It throws an AuthError when the caller is not allowed.
 */
export const guardOf =
  (
    auth: VerifyingAuth,
    name: string,
    check: (request: HttpRequest, path: string) => Promise<unknown>,
  ): Guard =>
  (request, response, next) => {
    assertIsMiddlewareCall(name, request, next);
    // If the deadline has passed, a later success is ignored: the request has already been rejected.
    return withDeadline(check(expressRequest(request, response), patternOf(request))).then(
      () => next(),
      (error: unknown) => sendDenial(request, response, { error, auth }),
    );
  };

/** The properties that Express adds to a request; other frameworks have none of them. */
type Routed = IncomingMessage & {
  baseUrl?: string;
  route?: { path?: string | RegExp | readonly (string | RegExp)[] };
};

/** Returns `/invoices/:id`; for a guard in front of a whole router, which runs before its routes, the prefix: `/invoices/*`. */
export function patternOf({ baseUrl = '', route }: Routed): string {
  const path = [route?.path ?? '/*'].flat().join(' or ');
  return baseUrl + path;
}
