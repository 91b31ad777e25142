import { AuthError } from '../kernel/auth-error.js';
import { maySignIn, type User } from '../users/user.js';
import type { MembershipEditor } from './company-authority.js';
import type { MembershipState } from './membership.js';

/** Rows that a transaction has locked, by user. */
export interface LockedRows {
  users: ReadonlyMap<string, User>;
  memberships: ReadonlyMap<string, MembershipState>;
}

/**
 * Returns the user and their membership as they are now: a role that was taken away while the request was
 * running no longer counts.
 * @throws AuthError `forbidden` for a user who may not sign in any more.
 */
export function lockedEditor(userId: string, { users, memberships }: LockedRows): MembershipEditor {
  const user = users.get(userId);
  if (!user || !maySignIn(user)) throw AuthError.forbidden();
  return { userId, globalRole: user.globalRole, membership: memberships.get(userId) };
}
