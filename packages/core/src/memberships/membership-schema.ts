import { z } from 'zod';
import { APPROVAL_STATUSES, GLOBAL_ROLES } from '../users/user.js';
import type { BusinessUnitMember, CompanyMember, MemberWithUnits, UserSummary } from './member.js';
import type { BusinessUnitMembership, CompanyMembership, Memberships } from './membership.js';

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

/** A company membership with its grants. */
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
/** A company membership; `approvalLimit` is a decimal as text, null where there is no limit. */
export type CompanyMembershipView = z.output<typeof companyMembershipView>;

/** A business-unit membership. */
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
/** A business-unit membership with its finance fields. */
export type BusinessUnitMembershipView = z.output<typeof businessUnitMembershipView>;

/** The main fields of a user. */
const userSummaryView = z
  .object({
    id: z.guid(),
    email: z.string(),
    fullName: z.string().nullable(),
    globalRole: z.enum(GLOBAL_ROLES),
    approvalStatus: z.enum(APPROVAL_STATUSES),
    isActive: z.boolean(),
    profilePictureUrl: z.string().optional(),
  })
  .meta({ id: 'UserSummary' });

/** The main fields of a user with their company membership. */
export const companyUserView = userSummaryView
  .extend({ membership: companyMembershipView })
  .meta({ id: 'CompanyUser' });
/** An active member of a company. */
export type CompanyUserView = z.output<typeof companyUserView>;

/** The main fields of a user with their business-unit membership. */
export const businessUnitUserView = userSummaryView
  .extend({ membership: businessUnitMembershipView })
  .meta({ id: 'BusinessUnitUser' });
/** An active member of a business unit. */
export type BusinessUnitUserView = z.output<typeof businessUnitUserView>;

/** Schema of a membership with its user. */
export const memberView = companyMembershipView
  .extend({ user: userSummaryView, businessUnitMemberships: z.array(businessUnitMembershipView) })
  .meta({ id: 'Member' });
/** A membership, active or not, with its user and their business-unit memberships. */
export type MemberView = z.output<typeof memberView>;

interface Dated {
  createdAt: Date;
  updatedAt: Date;
}

// `Object.assign` instead of spreads here and below: a list of 100,000 would leave as many hidden classes.
const withTextDates = <T extends Dated>(membership: T): Omit<T, keyof Dated> & Record<keyof Dated, string> =>
  Object.assign({}, membership as Omit<T, keyof Dated>, {
    createdAt: membership.createdAt.toISOString(),
    updatedAt: membership.updatedAt.toISOString(),
  });

export const toCompanyMembershipView = (membership: CompanyMembership): CompanyMembershipView =>
  // What the role contains is part of the access, not of the membership.
  Object.assign(withTextDates(membership), { definedRole: undefined });

export const toBusinessUnitMembershipView = (
  membership: BusinessUnitMembership,
): BusinessUnitMembershipView => withTextDates(membership);

const toUserSummaryView = (user: UserSummary): z.output<typeof userSummaryView> => ({
  id: user.id,
  email: user.email,
  fullName: user.fullName,
  globalRole: user.globalRole,
  approvalStatus: user.approvalStatus,
  isActive: user.isActive,
  // Undefined and not left out: see above.
  profilePictureUrl: user.profilePictureUrl ?? undefined,
});

export const toCompanyUserView = ({ user, membership }: CompanyMember): CompanyUserView =>
  Object.assign(toUserSummaryView(user), { membership: toCompanyMembershipView(membership) });

export const toBusinessUnitUserView = ({ user, membership }: BusinessUnitMember): BusinessUnitUserView =>
  Object.assign(toUserSummaryView(user), { membership: toBusinessUnitMembershipView(membership) });

export const toMemberView = ({ user, membership, businessUnits }: MemberWithUnits): MemberView =>
  Object.assign(toCompanyMembershipView(membership), {
    user: toUserSummaryView(user),
    businessUnitMemberships: businessUnits.map(toBusinessUnitMembershipView),
  });

/** Returns the views of all memberships of a user. */
export const toMembershipViews = ({ companies, businessUnits }: Memberships) => ({
  companyMemberships: companies.map(toCompanyMembershipView),
  businessUnitMemberships: businessUnits.map(toBusinessUnitMembershipView),
});
