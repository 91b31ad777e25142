import { z } from 'zod';
import { APPROVAL_STATUSES, GLOBAL_ROLES } from '../users/user.js';
import type { BusinessUnitMembership, CompanyMembership } from './membership.js';
import type { BusinessUnitMember, CompanyMember, MemberWithUnits, UserSummary } from './member.js';

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

/** Who a member is, in a few words. */
export const userSummaryView = z
  .object({
    id: z.guid(),
    email: z.string(),
    fullName: z.string().nullable(),
    globalRole: z.enum(GLOBAL_ROLES),
    approvalStatus: z.enum(APPROVAL_STATUSES),
    isActive: z.boolean(),
  })
  .meta({ id: 'UserSummary' });
export type UserSummaryView = z.output<typeof userSummaryView>;

export const companyUserView = userSummaryView
  .extend({ membership: companyMembershipView })
  .meta({ id: 'CompanyUser' });
export type CompanyUserView = z.output<typeof companyUserView>;

export const businessUnitUserView = userSummaryView
  .extend({ membership: businessUnitMembershipView })
  .meta({ id: 'BusinessUnitUser' });
export type BusinessUnitUserView = z.output<typeof businessUnitUserView>;

/** A company membership with whose it is and the business units below it. */
export const memberView = companyMembershipView
  .extend({ user: userSummaryView, businessUnitMemberships: z.array(businessUnitMembershipView) })
  .meta({ id: 'Member' });
export type MemberView = z.output<typeof memberView>;

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

export const toUserSummaryView = (user: UserSummary): UserSummaryView => ({
  id: user.id,
  email: user.email,
  fullName: user.fullName,
  globalRole: user.globalRole,
  approvalStatus: user.approvalStatus,
  isActive: user.isActive,
});

export const toCompanyUserView = ({ user, membership }: CompanyMember): CompanyUserView => ({
  ...toUserSummaryView(user),
  membership: toCompanyMembershipView(membership),
});

export const toBusinessUnitUserView = ({ user, membership }: BusinessUnitMember): BusinessUnitUserView => ({
  ...toUserSummaryView(user),
  membership: toBusinessUnitMembershipView(membership),
});

export const toMemberView = ({ user, membership, businessUnits }: MemberWithUnits): MemberView => ({
  ...toCompanyMembershipView(membership),
  user: toUserSummaryView(user),
  businessUnitMemberships: businessUnits.map(toBusinessUnitMembershipView),
});
