import {
  AuthError,
  type ApiKeyPrincipal,
  type AuthenticatedKey,
  type KeyForAccess,
  type Principal,
  type SignedInMember,
} from '@latchkey/core';
import { apiKeyOf, notWithApiKey, principalActor } from './api-key.js';
import type { Caller, CallerRequest } from './caller.js';
import { memberWithRules, signedInMember } from './signed-in.js';

/** A program with an API key. */
export const keyHolder: Caller<AuthenticatedKey> = {
  security: 'api-key',
  failures: ['rate_limited'],
  identify: async (request) => {
    const key = apiKeyOf(request, request.auth);
    if (key === undefined) throw AuthError.unauthorized();
    return recognized(request, await request.auth.apiKeys.authenticator.authenticate(key, request.client));
  },
  permit: () => undefined,
  actorOf: principalActor,
};

/** The same with what its access depends on, read in the same query. */
export const keyHolderForAccess: Caller<KeyForAccess> = {
  ...keyHolder,
  failures: ['rate_limited', 'forbidden', 'second_factor_required'],
  identify: async (request) => {
    const key = apiKeyOf(request, request.auth);
    if (key === undefined) throw AuthError.unauthorized();
    const { authenticator } = request.auth.apiKeys;
    return recognized(request, await authenticator.authenticateForAccess(key, request.client));
  },
};

/** Returns a caller with a session or with an API key: the credential decides. */
const sessionOr = <Session extends Principal, Key extends ApiKeyPrincipal>(
  sessions: Caller<Session>,
  keys: Caller<Key>,
): Caller<Session | Key> => ({
  security: 'bearer',
  failures: [...new Set([...(sessions.failures ?? []), ...(keys.failures ?? [])])],
  identify: (request) =>
    apiKeyOf(request, request.auth) === undefined ? sessions.identify(request) : keys.identify(request),
  permit: (caller, request) =>
    caller.kind === 'api-key' ? keys.permit(caller as Key, request) : sessions.permit(caller, request),
  implied: (caller) =>
    caller.kind === 'api-key' && caller.companyId !== null ? { 'x-org': caller.companyId } : {},
  actorOf: principalActor,
});

/** A signed-in member, or a program with a personal key. */
export const memberOrPersonalKey: Caller<SignedInMember | AuthenticatedKey> = sessionOr(signedInMember, {
  ...keyHolder,
  permit: ({ apiKey }) => {
    if (apiKey.kind !== 'PERSONAL') throw notWithApiKey();
  },
});

/** A signed-in member with module rules, or a program with an API key, for routes that resolve access. */
export const memberOrKeyForAccess: Caller<SignedInMember | KeyForAccess> = sessionOr(
  memberWithRules,
  keyHolderForAccess,
);

function recognized<Key extends ApiKeyPrincipal>(request: CallerRequest, key: Key): Key {
  request.recognize(key);
  return key;
}
