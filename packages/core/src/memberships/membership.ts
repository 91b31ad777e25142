export type FinanceRole = 'SUBMITTER' | 'APPROVER';

/** What a member may hand on to others. */
export interface Delegation {
  canManageUsers: boolean;
  canBuyAddons: boolean;
  grantableModules: string[];
  grantablePermissions: string[];
}

export interface CompanyMembership {
  id: string;
  userId: string;
  companyId: string;
  role: string;
  isActive: boolean;
  /** A decimal as it was given; null means unlimited. */
  approvalLimit: string | null;
  financeRole: FinanceRole | null;
  isPrimaryFinanceAdmin: boolean;
  moduleGrants: string[];
  permissionGrants: string[];
  delegation: Delegation;
  createdAt: Date;
  updatedAt: Date;
}

/** A company membership without what hangs off it. */
export type MembershipState = Omit<CompanyMembership, 'moduleGrants' | 'permissionGrants' | 'delegation'>;

export interface BusinessUnitMembership {
  id: string;
  userId: string;
  companyId: string;
  businessUnitId: string;
  isActive: boolean;
  financeRole: FinanceRole | null;
  approvalLimit: string | null;
  isPrimaryApprover: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** All of one user's places, newest first. */
export interface Memberships {
  companies: CompanyMembership[];
  businessUnits: BusinessUnitMembership[];
}

/** One line of what decides under the ENFORCED access policy: grants of the member and of teams, minus denies. */
export interface ModuleRule {
  moduleKey: string;
  effect: 'GRANT' | 'DENY';
  source: 'MEMBER' | 'TEAM';
  teamId?: string | undefined;
}

/** A place in a company to be written; what is left out stays as it is, a list that is there replaces. */
export interface CompanyMembershipChange {
  userId: string;
  companyId: string;
  /** `MEMBER` when a new membership names none. */
  role?: string | undefined;
  isActive?: boolean | undefined;
  approvalLimit?: string | null | undefined;
  moduleGrants?: string[] | undefined;
  permissionGrants?: string[] | undefined;
  delegation?: DelegationChange | undefined;
  moduleRules?: ModuleRule[] | undefined;
}

export type DelegationChange = { [Field in keyof Delegation]?: Delegation[Field] | undefined };

/**
 * Whose place in which business unit of which company; all three are UUIDs.
 * @example
 * ```ts
 * const place: BusinessUnitMembershipKey = {
 *   userId: '018f4e6e-0000-7000-8000-000000000001',
 *   companyId: '018f4e6e-0000-7000-8000-00000000000a',
 *   businessUnitId: '018f4e6e-0000-7000-8000-0000000000b1',
 * };
 * businessUnitMembershipKeyInput.parse(place); // → place
 * ```
 */
export interface BusinessUnitMembershipKey {
  userId: string;
  companyId: string;
  businessUnitId: string;
}
