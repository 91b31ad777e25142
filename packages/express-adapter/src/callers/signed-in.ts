import { AuthError, type SignedInMember, type SignedInUser } from '@latchkey/core';
import type { Caller, CallerRequest } from './caller.js';

/** RFC 6750 section 2.1, the scheme in any case; the header is the only place a token is taken from. */
const BEARER = /^bearer +([A-Za-z0-9._~+/=-]+)$/i;

/** Somebody with an access token whose session stands. */
export const signedIn: Caller<SignedInUser> = {
  security: 'bearer',
  identify: (request) => request.auth.authenticator.authenticate(bearerTokenOf(request)),
  permit: () => undefined,
  actorOf: ({ userId }) => ({ kind: 'user', userId }),
};

/** The same with every membership of the user, in the query that checks the session. */
export const signedInMember: Caller<SignedInMember> = {
  ...signedIn,
  identify: (request) => request.auth.authenticator.authenticateWithMemberships(bearerTokenOf(request)),
};

function bearerTokenOf(request: CallerRequest): string {
  const token = BEARER.exec(request.header('authorization')?.trim() ?? '')?.[1];
  if (token === undefined) throw AuthError.unauthorized();
  return token;
}
