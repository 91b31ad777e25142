import { z } from 'zod';
import type { BusinessUnitMembership, CompanyMembership } from './membership.js';

const timestamp = z.iso.datetime();
const financeRole = z.enum(['SUBMITTER', 'APPROVER']).nullable();

export const delegationView = z
  .object({
    canManageUsers: z.boolean(),
    canBuyAddons: z.boolean(),
    grantableModules: z.array(z.string()),
    grantablePermissions: z.array(z.string()),
  })
  .meta({ id: 'Delegation' });

export const companyMembershipView = z
  .object({
    id: z.guid(),
    userId: z.guid(),
    companyId: z.guid(),
    role: z.string(),
    isActive: z.boolean(),
    approvalLimit: z.string().nullable(),
    financeRole,
    isPrimaryFinanceAdmin: z.boolean(),
    moduleGrants: z.array(z.string()),
    permissionGrants: z.array(z.string()),
    delegation: delegationView,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'CompanyMembership' });
export type CompanyMembershipView = z.output<typeof companyMembershipView>;

export const businessUnitMembershipView = z
  .object({
    id: z.guid(),
    userId: z.guid(),
    companyId: z.guid(),
    businessUnitId: z.guid(),
    isActive: z.boolean(),
    financeRole,
    approvalLimit: z.string().nullable(),
    isPrimaryApprover: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'BusinessUnitMembership' });
export type BusinessUnitMembershipView = z.output<typeof businessUnitMembershipView>;

interface Dated {
  createdAt: Date;
  updatedAt: Date;
}

const withTextDates = <T extends Dated>(membership: T) => ({
  ...membership,
  createdAt: membership.createdAt.toISOString(),
  updatedAt: membership.updatedAt.toISOString(),
});

export const toCompanyMembershipView = (membership: CompanyMembership): CompanyMembershipView =>
  withTextDates(membership);

export const toBusinessUnitMembershipView = (
  membership: BusinessUnitMembership,
): BusinessUnitMembershipView => withTextDates(membership);
