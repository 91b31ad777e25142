import { AuthError, type SignedInMember, type SignedInUser } from '@latchkey/core';
import type { Caller, CallerRequest, Credentials } from './caller.js';

/** RFC 6750 section 2.1, the scheme in any case. */
const BEARER = /^bearer +([A-Za-z0-9._~+/=-]+)$/i;

/** Somebody with an access token whose session stands. */
export const signedIn: Caller<SignedInUser> = {
  security: 'bearer',
  identify: async (request) =>
    recognized(request, await request.auth.authenticator.authenticate(accessTokenOf(request))),
  permit: () => undefined,
  actorOf: ({ userId }) => ({ kind: 'user', userId }),
};

/** The same with every membership of the user, in the query that checks the session. */
export const signedInMember: Caller<SignedInMember> = {
  ...signedIn,
  identify: async (request) =>
    recognized(request, await request.auth.authenticator.authenticateWithMemberships(accessTokenOf(request))),
};

function recognized<Who extends SignedInUser>(request: CallerRequest, who: Who): Who {
  request.recognize(who);
  return who;
}

/** Whether a request shows anything that says who is calling, good or bad. */
export const showsPerson = (request: CallerRequest): boolean =>
  request.header('authorization') !== undefined || request.cookieToken() !== undefined;

/**
 * The header decides alone when it is there, else in cookie mode the cookie; a token is taken from nowhere else.
 * @throws AuthError `unauthorized` without a token.
 */
export function accessTokenOf(request: Credentials): string {
  const authorization = request.header('authorization');
  const token = authorization === undefined ? request.cookieToken() : BEARER.exec(authorization.trim())?.[1];
  if (token === undefined) throw AuthError.unauthorized();
  return token;
}
