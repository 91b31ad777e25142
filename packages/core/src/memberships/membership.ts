export type FinanceRole = 'SUBMITTER' | 'APPROVER';

/** Rights that a member may give to others. */
export interface Delegation {
  canManageUsers: boolean;
  canBuyAddons: boolean;
  grantableModules: string[];
  grantablePermissions: string[];
}

/** The rights that every member of a role has, in addition to their own grants. */
export interface RoleContents {
  modules: string[];
  permissions: string[];
  delegation: Delegation;
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
  /** The definition of the role; undefined for a role that is a name only. */
  definedRole?: (RoleContents & { name: string }) | undefined;
  createdAt: Date;
  updatedAt: Date;
}

/** A company membership without grants, permissions and delegation. */
export type MembershipState = Omit<
  CompanyMembership,
  'moduleGrants' | 'permissionGrants' | 'delegation' | 'definedRole'
>;

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

/** All memberships of one user, newest first. */
export interface Memberships {
  companies: CompanyMembership[];
  businessUnits: BusinessUnitMembership[];
}

/** One rule of the ENFORCED access policy: grants of the member and of teams, minus denies. */
export interface ModuleRule {
  moduleKey: string;
  effect: 'GRANT' | 'DENY';
  source: 'MEMBER' | 'TEAM';
  teamId?: string | undefined;
}

/** A rule with the fields that decide; its author has no effect. */
export type DecidingRule = Pick<ModuleRule, 'moduleKey' | 'effect'>;

/** Rules by the id of their membership; a membership without rules is absent. */
export type DecidingRules = ReadonlyMap<string, readonly DecidingRule[]>;

/** A company membership to write; omitted fields stay as they are, a given list replaces the stored one. */
export interface CompanyMembershipChange {
  userId: string;
  companyId: string;
  /** Defaults to `MEMBER` for a new membership. */
  role?: string | undefined;
  isActive?: boolean | undefined;
  approvalLimit?: string | null | undefined;
  moduleGrants?: string[] | undefined;
  permissionGrants?: string[] | undefined;
  delegation?: DelegationChange | undefined;
  moduleRules?: ModuleRule[] | undefined;
}

export type DelegationChange = { [Field in keyof Delegation]?: Delegation[Field] | undefined };

/** The key of a business-unit membership; all three fields are UUIDs. */
export interface BusinessUnitMembershipKey {
  userId: string;
  companyId: string;
  businessUnitId: string;
}
