import { AuthError } from '../kernel/auth-error.js';
import type { GlobalRole, User } from './user.js';

/** Actions of platform staff, as in the role table. `create` and `operate` concern no existing user. */
const USER_ACTIONS = [
  'read',
  'create',
  'approve',
  'edit',
  'change-role',
  'deactivate',
  'revoke-sessions',
  /** Sends mails with links again: those of a password reset and of an email verification. */
  'send-mail',
  /** Acts for the user, in a session of the user's that names who acts. Concerns users of a lower rank only. */
  'act-for',
  'reset-factors',
  'erase',
  /** Reads the audit log, the outbox, invitations of all companies and the health of the service, and retries mail. */
  'operate',
] as const;
/** An action of staff, on users except for `create` and `operate`; the role table defines who may do which. */
export type UserAction = (typeof USER_ACTIONS)[number];

const ALLOWED: Record<Exclude<GlobalRole, 'NONE'>, ReadonlySet<UserAction>> = {
  PLATFORM_SUPERADMIN: new Set(USER_ACTIONS),
  PLATFORM_ADMIN: new Set<UserAction>([
    'read',
    'create',
    'approve',
    'edit',
    'deactivate',
    'revoke-sessions',
    'send-mail',
    'act-for',
    'operate',
  ]),
  PLATFORM_MODERATOR: new Set<UserAction>(['read', 'approve']),
};

const RANK: Record<GlobalRole, number> = {
  NONE: 0,
  PLATFORM_MODERATOR: 1,
  PLATFORM_ADMIN: 2,
  PLATFORM_SUPERADMIN: 3,
};

/** Reports whether the first role is of a higher rank than the second. */
export const outranks = (one: GlobalRole, other: GlobalRole): boolean => RANK[one] > RANK[other];

export const isStaff = (role: GlobalRole): role is Exclude<GlobalRole, 'NONE'> => role !== 'NONE';

/**
 * Reports whether a role may take an action at all, whichever user is concerned.
 * @example
 * ```ts
 * mayAct('PLATFORM_MODERATOR', 'approve'); // → true
 * mayAct('PLATFORM_MODERATOR', 'deactivate'); // → false
 * ```
 */
export const mayAct = (role: GlobalRole, action: UserAction): boolean =>
  isStaff(role) && ALLOWED[role].has(action);

/**
 * Returns the actions that a new role adds, and those that it removes.
 * @example
 * ```ts
 * compareRoles('PLATFORM_MODERATOR', 'NONE'); // → { gained: [], lost: ['read', 'approve'] }
 * ```
 */
export const compareRoles = (from: GlobalRole, to: GlobalRole): Record<'gained' | 'lost', UserAction[]> => ({
  gained: USER_ACTIONS.filter((action) => mayAct(to, action) && !mayAct(from, action)),
  lost: USER_ACTIONS.filter((action) => mayAct(from, action) && !mayAct(to, action)),
});

/**
 * Reports whether a role reaches users of another: superadmins reach every user, the others only lower roles,
 * moderators only users without a role.
 */
export function reaches(actorRole: GlobalRole, targetRole: GlobalRole): boolean {
  if (actorRole === 'PLATFORM_SUPERADMIN') return true;
  if (actorRole === 'PLATFORM_MODERATOR') return targetRole === 'NONE';
  return outranks(actorRole, targetRole);
}

/**
 * Throws unless a signed-in user may take the action on another.
 * @throws AuthError `forbidden`
 */
export function assertMayActOn(
  actor: Pick<User, 'id' | 'globalRole'>,
  action: UserAction,
  target: Pick<User, 'id' | 'globalRole'>,
): void {
  const isOwnStatus = actor.id === target.id && SELF_FORBIDDEN.has(action);
  if (isOwnStatus || !mayAct(actor.globalRole, action)) throw AuthError.forbidden();
  if (action !== 'read' && !reachesBy(action, actor.globalRole, target.globalRole))
    throw AuthError.forbidden();
}

/** Reports whether the action reaches the role: an actor with the rights of another must be above them, superadmins too. */
const reachesBy = (action: UserAction, actorRole: GlobalRole, targetRole: GlobalRole): boolean =>
  (action === 'act-for' ? outranks : reaches)(actorRole, targetRole);

/** Actions that users may not take on themselves: role, approval, activity, removing factors without one, and erasure. */
const SELF_FORBIDDEN: ReadonlySet<UserAction> = new Set([
  'approve',
  'change-role',
  'deactivate',
  'reset-factors',
  'erase',
]);

/** Throws unless the role may create a user with the new role. @throws AuthError `forbidden` */
export function assertMayCreate(actorRole: GlobalRole, newRole: GlobalRole): void {
  const allowed = actorRole === 'PLATFORM_SUPERADMIN' || newRole === 'NONE';
  if (!mayAct(actorRole, 'create') || !allowed) throw AuthError.forbidden();
}
