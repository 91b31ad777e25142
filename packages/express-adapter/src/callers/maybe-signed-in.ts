import type { SignedInUser } from '@latchkey/core';
import type { Caller } from './caller.js';
import { signedIn } from './signed-in.js';

/** A public route that looks at a Bearer token when one is sent; a bad one is refused, not passed over. */
export const maybeSignedIn: Caller<SignedInUser | undefined> = {
  security: 'none',
  identify: async (request) =>
    request.header('authorization') === undefined ? undefined : signedIn.identify(request),
  permit: () => undefined,
  actorOf: (caller) => (caller ? signedIn.actorOf(caller) : { kind: 'anonymous' }),
};
