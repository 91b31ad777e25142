import type { Actor } from './actor.js';
import { AuthError } from './auth-error.js';

/**
 * What a service token must hold on machine routes: the first two by the method of the request, the others in addition,
 * by what is done and to whom.
 */
export type MachineScope = 'internal:read' | 'internal:write' | 'sessions:mint' | 'users:privileged';

/**
 * Decides whether a machine may do what the scope is for. Users, operators and machines without scopes always pass: others
 * have authorised them.
 * @throws AuthError `forbidden`, naming the scope.
 */
export function assertHoldsScope(actor: Actor, scope: MachineScope): void {
  if (actor.kind !== 'machine' || actor.scopes === undefined) return;
  if (!actor.scopes.includes(scope)) throw lacksScope(scope);
}

export const lacksScope = (scope: MachineScope): AuthError =>
  AuthError.forbidden(`The service token lacks the scope ${scope}.`, 'scope_missing');
