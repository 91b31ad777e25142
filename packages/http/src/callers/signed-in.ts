import { AuthError, type SignedInMember, type SignedInUser, type VerifyingAuth } from '@latchkey/core';
import { apiKeyOf, bearerOf, notWithApiKey } from './api-key.js';
import type { Caller, CallerRequest, Credentials } from './caller.js';

/** A user with an access token of an active session. */
export const signedIn: Caller<SignedInUser> = {
  security: 'bearer',
  identify: async (request) =>
    recognized(request, await request.auth.authenticator.authenticate(accessTokenOf(request, request.auth))),
  permit: () => undefined,
  actorOf: ({ userId }) => ({ kind: 'user', userId }),
};

/** The same user with all memberships, which the query that checks the session reads too. */
export const signedInMember: Caller<SignedInMember> = {
  ...signedIn,
  identify: async (request) =>
    recognized(
      request,
      await request.auth.authenticator.authenticateWithMemberships(accessTokenOf(request, request.auth)),
    ),
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
    recognized(
      request,
      await request.auth.authenticator.authenticateForAccess(accessTokenOf(request, request.auth)),
    ),
};

function recognized<User extends SignedInUser>(request: CallerRequest, user: User): User {
  request.recognize(user);
  return user;
}

/**
 * Returns the token of the `Authorization` header, or without that header the token of the cookie in cookie mode. No other
 * source is read.
 * @throws AuthError `unauthorized` without a token, `forbidden` for an API key.
 */
export function accessTokenOf(request: Credentials, auth: Pick<VerifyingAuth, 'settings'>): string {
  if (apiKeyOf(request, auth) !== undefined) throw notWithApiKey();
  const authorization = request.header('authorization');
  const token = authorization === undefined ? request.cookieToken() : bearerOf(authorization);
  if (token === undefined) throw AuthError.unauthorized();
  return token;
}
