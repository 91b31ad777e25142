import type { SignedInUser } from '@latchkey/core';
import type { Caller } from './caller.js';
import { showsPerson, signedIn } from './signed-in.js';

/** A public route that looks at an access token when one is sent; a bad one is refused, not passed over. */
export const maybeSignedIn: Caller<SignedInUser | undefined> = {
  security: 'none',
  identify: async (request) => (showsPerson(request) ? signedIn.identify(request) : undefined),
  permit: () => undefined,
  actorOf: (caller) => (caller ? signedIn.actorOf(caller) : { kind: 'anonymous' }),
};
