import type { SignedInUser } from '@latchkey/core';
import type { Caller, CallerRequest } from './caller.js';
import { signedIn } from './signed-in.js';

/** Reports whether a request carries credentials of a user, valid or not. */
const hasUserCredentials = (request: CallerRequest): boolean =>
  request.header('authorization') !== undefined || request.cookieToken() !== undefined;

/** Any caller of a public route. An access token is checked if one is sent: an invalid one is rejected, not ignored. */
export const maybeSignedIn: Caller<SignedInUser | undefined> = {
  security: 'none',
  identify: async (request) => (hasUserCredentials(request) ? signedIn.identify(request) : undefined),
  permit: () => undefined,
  actorOf: (caller) => (caller ? signedIn.actorOf(caller) : { kind: 'anonymous' }),
};
