import type { User } from '../users/user.js';
import type { BusinessUnitMembership, CompanyMembership } from './membership.js';

/** The main fields of a user. */
export type UserSummary = Pick<
  User,
  'id' | 'email' | 'fullName' | 'globalRole' | 'approvalStatus' | 'isActive' | 'profilePictureUrl'
>;

/** A user and their company membership, as filters of lists get them. */
export interface CompanyMember {
  user: UserSummary;
  membership: CompanyMembership;
}

export interface BusinessUnitMember {
  user: UserSummary;
  membership: BusinessUnitMembership;
}

/** A company membership with its business-unit memberships, active or not. */
export interface MemberWithUnits extends CompanyMember {
  businessUnits: BusinessUnitMembership[];
}
