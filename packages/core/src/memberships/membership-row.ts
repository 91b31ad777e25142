import type {
  BusinessUnitMembership,
  CompanyMembership,
  DecidingRule,
  DecidingRules,
  FinanceRole,
  MembershipState,
  ModuleRule,
} from './membership.js';

/** The deciding fields of a module rule. */
export interface DecidingRuleRow {
  membership_id: string;
  module_key: string;
  effect: ModuleRule['effect'];
}

export function toDecidingRules(rows: readonly DecidingRuleRow[]): DecidingRules {
  const rules = new Map<string, DecidingRule[]>();
  for (const { membership_id: id, module_key: moduleKey, effect } of rows) {
    const known = rules.get(id);
    if (known) known.push({ moduleKey, effect });
    else rules.set(id, [{ moduleKey, effect }]);
  }
  return rules;
}

/** A membership as a row, or as JSON inside one, where times are text. */
interface MembershipRow {
  id: string;
  user_id: string;
  company_id: string;
  is_active: boolean;
  approval_limit: string | null;
  finance_role: FinanceRole | null;
  created_at: Date | string;
  updated_at: Date | string;
}

export interface MembershipStateRow extends MembershipRow {
  role: string;
  is_primary_finance_admin: boolean;
}

/** The row with grants, permissions and delegation. */
export interface CompanyMembershipRow extends MembershipStateRow {
  module_grants: string[] | null;
  permission_grants: string[] | null;
  can_manage_users: boolean | null;
  can_buy_addons: boolean | null;
  grantable_modules: string[] | null;
  grantable_permissions: string[] | null;
  defined_role: CompanyMembership['definedRole'] | null;
}

export interface BusinessUnitMembershipRow extends MembershipRow {
  business_unit_id: string;
  is_primary_approver: boolean;
}

export function toMembershipState(row: MembershipStateRow): MembershipState {
  return {
    id: row.id,
    userId: row.user_id,
    companyId: row.company_id,
    role: row.role,
    isActive: row.is_active,
    approvalLimit: row.approval_limit,
    financeRole: row.finance_role,
    isPrimaryFinanceAdmin: row.is_primary_finance_admin,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

// `Object.assign` instead of a spread: a list of 100,000 would leave as many hidden classes.
export function toCompanyMembership(row: CompanyMembershipRow): CompanyMembership {
  return Object.assign(toMembershipState(row), {
    moduleGrants: row.module_grants ?? [],
    permissionGrants: row.permission_grants ?? [],
    delegation: {
      canManageUsers: row.can_manage_users ?? false,
      canBuyAddons: row.can_buy_addons ?? false,
      grantableModules: row.grantable_modules ?? [],
      grantablePermissions: row.grantable_permissions ?? [],
    },
    definedRole: row.defined_role ?? undefined,
  });
}

export function toBusinessUnitMembership(row: BusinessUnitMembershipRow): BusinessUnitMembership {
  return {
    id: row.id,
    userId: row.user_id,
    companyId: row.company_id,
    businessUnitId: row.business_unit_id,
    isActive: row.is_active,
    financeRole: row.finance_role,
    approvalLimit: row.approval_limit,
    isPrimaryApprover: row.is_primary_approver,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}
