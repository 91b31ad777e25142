import type { User } from '../users/user.js';
import type { BusinessUnitMembership, CompanyMembership } from './membership.js';

/** Who a member is, in a few words. */
export type UserSummary = Pick<
  User,
  'id' | 'email' | 'fullName' | 'globalRole' | 'approvalStatus' | 'isActive'
>;

export interface CompanyMember {
  user: UserSummary;
  membership: CompanyMembership;
}

export interface BusinessUnitMember {
  user: UserSummary;
  membership: BusinessUnitMembership;
}

/** A company membership with the places below it, active or not. */
export interface MemberWithUnits extends CompanyMember {
  businessUnits: BusinessUnitMembership[];
}
