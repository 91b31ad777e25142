/** A role on the platform. */
export type Role = 'NONE' | 'PLATFORM_MODERATOR' | 'PLATFORM_ADMIN' | 'PLATFORM_SUPERADMIN';

/** What staff may do, as in the role table of the service, which a test compares with this one. */
export type Action =
  | 'read'
  | 'create'
  | 'approve'
  | 'edit'
  | 'change-role'
  | 'deactivate'
  | 'revoke-sessions'
  | 'send-mail'
  | 'act-for'
  | 'reset-factors'
  | 'erase'
  | 'operate';

const MODERATOR: readonly Action[] = ['read', 'approve'];
const ADMIN: readonly Action[] = [
  ...MODERATOR,
  'create',
  'edit',
  'deactivate',
  'revoke-sessions',
  'send-mail',
  'act-for',
  'operate',
];
const SUPERADMIN: readonly Action[] = [...ADMIN, 'change-role', 'reset-factors', 'erase'];

const ALLOWED: Readonly<Record<Role, readonly Action[]>> = {
  PLATFORM_SUPERADMIN: SUPERADMIN,
  PLATFORM_ADMIN: ADMIN,
  PLATFORM_MODERATOR: MODERATOR,
  NONE: [],
};

/** The roles of the users that a role acts on. Reading has no such bound. */
const REACHED: Readonly<Record<Role, readonly Role[]>> = {
  PLATFORM_SUPERADMIN: ['NONE', 'PLATFORM_MODERATOR', 'PLATFORM_ADMIN', 'PLATFORM_SUPERADMIN'],
  PLATFORM_ADMIN: ['NONE', 'PLATFORM_MODERATOR'],
  PLATFORM_MODERATOR: ['NONE'],
  NONE: [],
};

/** Actions that users do not take on themselves. */
const NEVER_ON_SELF: readonly Action[] = ['approve', 'change-role', 'deactivate', 'reset-factors', 'erase'];

interface HasRole {
  globalRole: Role;
}

interface Person extends HasRole {
  id: string;
}

export const isStaff = ({ globalRole }: HasRole): boolean => globalRole !== 'NONE';

/** Reports whether a role may take an action at all. */
export const may = ({ globalRole }: HasRole, action: Action): boolean => ALLOWED[globalRole].includes(action);

/** Reports whether a user may take an action on another. */
export function mayOn(actor: Person, action: Action, target: Person): boolean {
  if (!may(actor, action)) return false;
  if (actor.id === target.id && NEVER_ON_SELF.includes(action)) return false;
  // An actor has the rights of the other user, so superadmins do not act for each other.
  if (action === 'act-for' && actor.globalRole === target.globalRole) return false;
  return action === 'read' || REACHED[actor.globalRole].includes(target.globalRole);
}
