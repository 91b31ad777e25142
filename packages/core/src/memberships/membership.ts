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
