import type { CompanyMembershipChange, MembershipState } from './membership.js';

/** The default role of a member. */
export const DEFAULT_ROLE = 'MEMBER';

/** A change with its consequences. */
export interface MembershipWrite extends CompanyMembershipChange {
  /** Null when the finance role ends; otherwise the finance workflow writes it. */
  financeRole?: null;
}

/** Reports whether a change makes an ended membership active again. */
export const rejoins = (
  current: MembershipState | undefined,
  { isActive }: CompanyMembershipChange,
): boolean => isActive === true && current?.isActive === false;

/** Returns the role of the member after a change. */
export function roleAfter(current: MembershipState | undefined, change: CompanyMembershipChange): string {
  return change.role ?? (rejoins(current, change) ? undefined : current?.role) ?? DEFAULT_ROLE;
}

/**
 * Returns the change as it is written. An ended membership keeps no finance fields, no approval limit and no
 * rules. A member who joins again starts from the fields of the change, also if the row still has more.
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
