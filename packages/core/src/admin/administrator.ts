import type { ActingParty } from '../kernel/acting-party.js';
import type { Actor, TrustedActor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import type { SignInFacts } from '../sessions/sign-in-freshness.js';
import type { Transaction } from '../storage/database.js';
import type { AuthenticationLevel } from '../tokens/authentication-level.js';
import { assertMayActOn, mayAct, type UserAction } from '../users/authority.js';
import type { UserRepository } from '../users/user-repository.js';
import type { GlobalRole, User } from '../users/user.js';

/** An administrator: a signed-in user, limited by their role, or a trusted actor. */
export type Administrator =
  | {
      kind: 'user';
      userId: string;
      globalRole: GlobalRole;
      /** The sign-in of their access token. Without it they may not do what `STAFF_STEP_UP` protects. */
      signIn?: SignInFacts & { acr?: AuthenticationLevel };
      /** The session of their access token. */
      sessionId?: string;
      /** Who acts in that session for them. */
      act?: ActingParty | undefined;
    }
  | TrustedActor;

export const actorOf = (administrator: Administrator): Actor =>
  administrator.kind === 'user' ? { kind: 'user', userId: administrator.userId } : administrator;

/**
 * Returns the administrator's current row, from rows that the transaction has locked: a role that was taken
 * away while the request was running no longer counts.
 * @throws AuthError `forbidden` for an administrator who may no longer sign in.
 */
export function lockedAdministrator(administrator: { userId: string }, locked: Map<string, User>): User {
  const user = locked.get(administrator.userId);
  if (!user?.isActive || user.approvalStatus !== 'APPROVED') throw AuthError.forbidden();
  return user;
}

/** An action of an administrator on a user. */
interface ActionOnUser {
  administrator: Administrator;
  action: UserAction;
  userId: string;
}

/**
 * Locks the row of the user, and that of an administrator who is a user, and judges the administrator by the role in
 * it. Whether a trusted actor may act is for the caller to decide.
 * @returns the user.
 * @throws AuthError `not_found`, `forbidden`.
 */
export async function lockForAction(
  users: Pick<UserRepository, 'lock'>,
  { administrator, action, userId }: ActionOnUser,
  trx: Transaction,
): Promise<User> {
  const isPerson = administrator.kind === 'user';
  const locked = await users.lock(isPerson ? [userId, administrator.userId] : [userId], trx);
  const target = locked.get(userId);
  if (!target) throw AuthError.notFound('The user', 'user_not_found');
  if (isPerson) assertMayActOn(lockedAdministrator(administrator, locked), action, target);
  return target;
}

/**
 * Locks the row of an administrator who is a user, and throws unless the role in it may operate the service.
 * @throws AuthError `forbidden`
 */
export async function lockOperator(
  users: Pick<UserRepository, 'lock'>,
  administrator: Administrator,
  trx: Transaction,
): Promise<void> {
  if (administrator.kind !== 'user') return;
  const locked = await users.lock([administrator.userId], trx);
  if (!mayAct(lockedAdministrator(administrator, locked).globalRole, 'operate')) throw AuthError.forbidden();
}
