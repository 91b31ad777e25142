import type { Actor } from '../kernel/actor.js';
import { assertHoldsScope } from '../kernel/machine-scope.js';
import { isStaff } from './authority.js';
import type { User } from './user.js';

/**
 * Throws unless a machine may write to this user: platform staff need the scope `users:privileged`. The role
 * must be read from the row that the transaction has locked.
 * @throws AuthError `forbidden`
 */
export function assertMachineMayWriteTo(actor: Actor, target: Pick<User, 'globalRole'>): void {
  if (isStaff(target.globalRole)) assertHoldsScope(actor, 'users:privileged');
}
