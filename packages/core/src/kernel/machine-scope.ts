import type { Actor } from './actor.js';
import { AuthError } from './auth-error.js';

/**
 * A scope of service tokens on machine routes. The method of the request requires one of the first two; some
 * actions and targets require one of the next three in addition. The last two are all that the revocation feed and the verification of
 * API keys require.
 */
export type MachineScope =
  | 'internal:read'
  | 'internal:write'
  | 'sessions:mint'
  | 'users:privileged'
  | 'webhooks:write'
  | 'revocations:read'
  | 'api-keys:verify';

/**
 * Asserts that a machine holds the scope. Users, operators and machines without scopes always pass: they are
 * authorised elsewhere.
 * @throws AuthError `forbidden`, naming the scope.
 */
export function assertHoldsScope(actor: Actor, scope: MachineScope): void {
  if (actor.kind !== 'machine' || actor.scopes === undefined) return;
  if (!actor.scopes.includes(scope)) throw lacksScope(scope);
}

export const lacksScope = (scope: MachineScope): AuthError =>
  AuthError.forbidden(`The service token lacks the scope ${scope}.`, 'scope_missing');
