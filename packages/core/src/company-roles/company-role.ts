import { AuthError } from '../kernel/auth-error.js';
import type { Delegation, RoleContents } from '../memberships/membership.js';

/** The definition of a role. */
export interface CompanyRole extends RoleContents {
  id: string;
  /** Null for a template: the definition for every company without one of its own. */
  companyId: string | null;
  key: string;
  name: string;
  description: string | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Definitions that one company may have, and templates. */
export const MOST_ROLES = 100;

/** The roles that administer a company: what they may do is decided by rules, not by a definition. */
const RESERVED = new Set(['TENANT_SUPERADMIN', 'ADMIN']);

/** @throws AuthError `conflict` with the reason `role_reserved`. */
export function assertDefinable(key: string): void {
  if (RESERVED.has(key))
    throw AuthError.conflict(
      `${key} administers the company and cannot be defined. Choose another key.`,
      'role_reserved',
    );
}

export const roleNotFound = (): AuthError => AuthError.notFound('The role', 'role_not_found');

/** Keys of modules and permissions, and the rights that may be handed on: a flag, or `grantableModules:invoices`. */
type RoleKeys = Record<'modules' | 'permissions' | 'delegation', string[]>;

/** Returns the keys of what a role or an access contains. */
const keysOf = ({ modules, permissions, delegation }: RoleContents): RoleKeys => ({
  modules: [...modules],
  permissions: [...permissions],
  delegation: [
    ...FLAGS.filter((flag) => delegation[flag]),
    ...delegation.grantableModules.map((key) => `grantableModules:${key}`),
    ...delegation.grantablePermissions.map((key) => `grantablePermissions:${key}`),
  ],
});

const FLAGS = ['canManageUsers', 'canBuyAddons'] as const satisfies (keyof Delegation)[];

/** Returns the keys of the first that the second lacks. */
const without = (keys: RoleKeys, others: RoleKeys): RoleKeys => ({
  modules: keys.modules.filter((key) => !others.modules.includes(key)),
  permissions: keys.permissions.filter((key) => !others.permissions.includes(key)),
  delegation: keys.delegation.filter((key) => !others.delegation.includes(key)),
});

/** Returns what a change adds and what it takes away. */
export function roleDifference(
  before: RoleContents | undefined,
  after: RoleContents | undefined,
): Record<'gained' | 'lost', RoleKeys> {
  const [old, next] = [keysOf(before ?? NOTHING), keysOf(after ?? NOTHING)];
  return { gained: without(next, old), lost: without(old, next) };
}

const NOTHING: RoleContents = {
  modules: [],
  permissions: [],
  delegation: { canManageUsers: false, canBuyAddons: false, grantableModules: [], grantablePermissions: [] },
};
