import type { SignedInUser } from '@latchkey/core';
import type { Caller } from './caller.js';
import { hasUserCredentials, signedIn } from './signed-in.js';

/** Any caller of a public route. An access token is checked if one is sent: an invalid one is rejected, not ignored. */
export const maybeSignedIn: Caller<SignedInUser | undefined> = {
  security: 'none',
  identify: async (request) => (hasUserCredentials(request) ? signedIn.identify(request) : undefined),
  permit: () => undefined,
  actorOf: (caller) => (caller ? signedIn.actorOf(caller) : { kind: 'anonymous' }),
};
