import type { CompanyMembershipChange, MembershipState } from './membership.js';

/** The role of a member of whom nothing else is said. */
export const DEFAULT_ROLE = 'MEMBER';

/** A change with what follows from it. */
export interface MembershipWrite extends CompanyMembershipChange {
  /** Null when the part in the finance workflow ends; otherwise that is for the finance workflow to write. */
  financeRole?: null;
}

/** Reports whether a change makes an ended membership active again. */
export const rejoins = (
  current: MembershipState | undefined,
  { isActive }: CompanyMembershipChange,
): boolean => isActive === true && current?.isActive === false;

/** The role that a change leaves the member with. */
export function roleAfter(current: MembershipState | undefined, change: CompanyMembershipChange): string {
  return change.role ?? (rejoins(current, change) ? undefined : current?.role) ?? DEFAULT_ROLE;
}

/**
 * A change as it is written. An ended membership keeps no part in the finance workflow, no approval limit and no rules.
 * Whoever joins again starts from what the change names, also over a row that still holds more.
 */
export function settleChange(
  current: MembershipState | undefined,
  change: CompanyMembershipChange,
): MembershipWrite {
  if (change.isActive === false) return { ...change, ...withoutFinance(change) };
  if (!rejoins(current, change)) return change;
  return {
    ...change,
    ...withoutFinance(change),
    role: roleAfter(current, change),
    moduleGrants: change.moduleGrants ?? [],
    permissionGrants: change.permissionGrants ?? [],
    delegation: {
      canManageUsers: change.delegation?.canManageUsers ?? false,
      canBuyAddons: change.delegation?.canBuyAddons ?? false,
      grantableModules: change.delegation?.grantableModules ?? [],
      grantablePermissions: change.delegation?.grantablePermissions ?? [],
    },
  };
}

const withoutFinance = ({ approvalLimit = null, moduleRules = [] }: CompanyMembershipChange) => ({
  financeRole: null,
  approvalLimit,
  moduleRules,
});
