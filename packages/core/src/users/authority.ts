import { AuthError } from '../kernel/auth-error.js';
import type { GlobalRole, User } from './user.js';

/** What platform staff do to users, as rows of the role table. */
const USER_ACTIONS = [
  'read',
  'create',
  'approve',
  'edit',
  'change-role',
  'deactivate',
  'revoke-sessions',
] as const;
/**
 * What staff do to users; who may do which stands in the role table.
 * @example
 * ```ts
 * const BUTTONS: Record<string, UserAction> = { Approve: 'approve', Deactivate: 'deactivate' };
 * const shown = Object.keys(BUTTONS).filter((label) => mayAct('PLATFORM_MODERATOR', BUTTONS[label] ?? 'read'));
 * shown; // → ['Approve']
 * ```
 */
export type UserAction = (typeof USER_ACTIONS)[number];

type StaffRole = Exclude<GlobalRole, 'NONE'>;

const ALLOWED: Record<StaffRole, ReadonlySet<UserAction>> = {
  PLATFORM_SUPERADMIN: new Set(USER_ACTIONS),
  PLATFORM_ADMIN: new Set<UserAction>(['read', 'create', 'approve', 'edit', 'deactivate', 'revoke-sessions']),
  PLATFORM_MODERATOR: new Set<UserAction>(['read', 'approve']),
};

const RANK: Record<GlobalRole, number> = {
  NONE: 0,
  PLATFORM_MODERATOR: 1,
  PLATFORM_ADMIN: 2,
  PLATFORM_SUPERADMIN: 3,
};

export const isStaff = (role: GlobalRole): role is StaffRole => role !== 'NONE';

/**
 * Whether a role may take an action at all, before looking at whom.
 * @example
 * ```ts
 * mayAct('PLATFORM_MODERATOR', 'approve'); // → true
 * mayAct('PLATFORM_MODERATOR', 'deactivate'); // → false
 * ```
 */
export const mayAct = (role: GlobalRole, action: UserAction): boolean =>
  isStaff(role) && ALLOWED[role].has(action);

/**
 * What a new role adds to the old one, and what it takes away.
 * @example
 * ```ts
 * compareRoles('PLATFORM_MODERATOR', 'NONE'); // → { gained: [], lost: ['read', 'approve'] }
 * ```
 */
export const compareRoles = (from: GlobalRole, to: GlobalRole): Record<'gained' | 'lost', UserAction[]> => ({
  gained: USER_ACTIONS.filter((action) => mayAct(to, action) && !mayAct(from, action)),
  lost: USER_ACTIONS.filter((action) => mayAct(from, action) && !mayAct(to, action)),
});

/** Superadmins reach everybody, the others only those below them, moderators only people without a role. */
export function reaches(actorRole: GlobalRole, targetRole: GlobalRole): boolean {
  if (actorRole === 'PLATFORM_SUPERADMIN') return true;
  if (actorRole === 'PLATFORM_MODERATOR') return targetRole === 'NONE';
  return RANK[targetRole] < RANK[actorRole];
}

/**
 * Decides one action of a signed-in user upon another.
 * @throws AuthError `forbidden`
 */
export function assertMayActOn(
  actor: Pick<User, 'id' | 'globalRole'>,
  action: UserAction,
  target: Pick<User, 'id' | 'globalRole'>,
): void {
  const ownStanding = actor.id === target.id && SELF_FORBIDDEN.has(action);
  if (ownStanding || !mayAct(actor.globalRole, action)) throw AuthError.forbidden();
  if (action !== 'read' && !reaches(actor.globalRole, target.globalRole)) throw AuthError.forbidden();
}

/** Nobody decides on their own role, approval or activity. */
const SELF_FORBIDDEN: ReadonlySet<UserAction> = new Set(['approve', 'change-role', 'deactivate']);

/** @throws AuthError `forbidden` when the role may not create a user with that role. */
export function assertMayCreate(actorRole: GlobalRole, newRole: GlobalRole): void {
  const allowed = actorRole === 'PLATFORM_SUPERADMIN' || newRole === 'NONE';
  if (!mayAct(actorRole, 'create') || !allowed) throw AuthError.forbidden();
}
