import { AuthError, type SignedInMember, type SignedInUser } from '@latchkey/core';
import type { Caller, CallerRequest, Credentials } from './caller.js';

/** RFC 6750 section 2.1, the scheme in any case. */
const BEARER = /^bearer +([A-Za-z0-9._~+/=-]+)$/i;

/** A user with an access token of an active session. */
export const signedIn: Caller<SignedInUser> = {
  security: 'bearer',
  identify: async (request) =>
    recognized(request, await request.auth.authenticator.authenticate(accessTokenOf(request))),
  permit: () => undefined,
  actorOf: ({ userId }) => ({ kind: 'user', userId }),
};

/** The same user with all memberships, which the query that checks the session reads too. */
export const signedInMember: Caller<SignedInMember> = {
  ...signedIn,
  identify: async (request) =>
    recognized(request, await request.auth.authenticator.authenticateWithMemberships(accessTokenOf(request))),
};

/**
 * The same for routes on which a platform role gives rights: platform staff must have the level that their role requires.
 */
export const member: Caller<SignedInMember> = {
  ...signedInMember,
  failures: ['second_factor_required'],
  permit: (caller, { auth }) => auth.authenticator.assertStaffLevel(caller),
};

/** The same with the module rules of all memberships, for routes that resolve access. */
export const memberWithRules: Caller<SignedInMember> = {
  ...member,
  identify: async (request) =>
    recognized(request, await request.auth.authenticator.authenticateForAccess(accessTokenOf(request))),
};

function recognized<User extends SignedInUser>(request: CallerRequest, user: User): User {
  request.recognize(user);
  return user;
}

/** Reports whether a request carries credentials of a user, valid or not. */
export const hasUserCredentials = (request: CallerRequest): boolean =>
  request.header('authorization') !== undefined || request.cookieToken() !== undefined;

/**
 * Returns the token of the `Authorization` header, or without that header the token of the cookie in cookie mode. No other
 * source is read.
 * @throws AuthError `unauthorized` without a token.
 */
export function accessTokenOf(request: Credentials): string {
  const authorization = request.header('authorization');
  const token = authorization === undefined ? request.cookieToken() : BEARER.exec(authorization.trim())?.[1];
  if (token === undefined) throw AuthError.unauthorized();
  return token;
}
