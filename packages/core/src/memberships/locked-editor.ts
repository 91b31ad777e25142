import { AuthError } from '../kernel/auth-error.js';
import { maySignIn, type User } from '../users/user.js';
import type { MembershipEditor } from './company-authority.js';
import type { MembershipState } from './membership.js';

/** Rows that a transaction has locked, by user. */
export interface LockedRows {
  users: ReadonlyMap<string, User>;
  places: ReadonlyMap<string, MembershipState>;
}

/**
 * Somebody's standing in a company as it is now: a role that was taken away while the request was on its way
 * decides nothing any more.
 * @throws AuthError `forbidden` for a user who may not sign in any more.
 */
export function lockedEditor(userId: string, { users, places }: LockedRows): MembershipEditor {
  const user = users.get(userId);
  if (!user || !maySignIn(user)) throw AuthError.forbidden();
  return { userId, globalRole: user.globalRole, membership: places.get(userId) };
}
