import { TENANT_SUPERADMIN } from '../memberships/company-authority.js';
import { heldDelegation, heldPermissions } from '../memberships/held-grants.js';
import type { CompanyMembership, Delegation } from '../memberships/membership.js';
import type { Entitlements } from './entitlements.js';

/** Returns the permissions of the membership and its role that the company has, too, sorted; none without a membership. */
export function effectivePermissions(
  membership: Pick<CompanyMembership, 'permissionGrants' | 'definedRole'> | undefined,
  { permissions }: Pick<Entitlements, 'permissions'>,
): string[] {
  return capped(membership ? heldPermissions(membership) : [], permissions);
}

/**
 * Returns the effective delegation, capped like the access itself. A `TENANT_SUPERADMIN` may delegate every
 * entitled module.
 */
export function effectiveDelegation(
  membership: Pick<CompanyMembership, 'role' | 'delegation' | 'definedRole'> | undefined,
  { modules, permissions }: Pick<Entitlements, 'modules' | 'permissions'>,
): Delegation {
  if (!membership) return NO_DELEGATION;
  const delegation = heldDelegation(membership);
  const isSuperadmin = membership.role === TENANT_SUPERADMIN;
  return {
    canManageUsers: isSuperadmin || delegation.canManageUsers,
    canBuyAddons: isSuperadmin || delegation.canBuyAddons,
    grantableModules: isSuperadmin ? [...modules].toSorted() : capped(delegation.grantableModules, modules),
    grantablePermissions: capped(delegation.grantablePermissions, permissions),
  };
}

export const NO_DELEGATION: Delegation = {
  canManageUsers: false,
  canBuyAddons: false,
  grantableModules: [],
  grantablePermissions: [],
};

const capped = (keys: readonly string[], cap: ReadonlySet<string> | undefined): string[] =>
  [...new Set(keys)].filter((key) => cap?.has(key) ?? true).toSorted();
