import type { User } from '../users/user.js';
import type { BusinessUnitMembership, CompanyMembership } from './membership.js';

/** The main fields of a user. */
export type UserSummary = Pick<
  User,
  'id' | 'email' | 'fullName' | 'globalRole' | 'approvalStatus' | 'isActive'
>;

/**
 * A user and their company membership, as filters of lists get them.
 * @example
 * ```ts
 * const isAdmin = ({ membership }: CompanyMember): boolean => membership.role === 'ADMIN';
 * const { companyId = '' } = await kit.user({ company: 'without admins' });
 * const admins = await kit.auth.members.companyUsers(companyId, {}, async (all) => Promise.resolve(all.filter(isAdmin)));
 * admins.items; // → []
 * ```
 */
export interface CompanyMember {
  user: UserSummary;
  membership: CompanyMembership;
}

export interface BusinessUnitMember {
  user: UserSummary;
  membership: BusinessUnitMembership;
}

/**
 * A company membership with its business-unit memberships, active or not.
 * @example
 * ```ts
 * const isInUnit = (unitId: string) => ({ businessUnits }: MemberWithUnits): boolean =>
 *   businessUnits.some(({ businessUnitId, isActive }) => businessUnitId === unitId && isActive);
 * const members: MemberWithUnits[] = [];
 * members.filter(isInUnit('018f4e6e-0000-7000-8000-0000000000b1')); // → []
 * ```
 */
export interface MemberWithUnits extends CompanyMember {
  businessUnits: BusinessUnitMembership[];
}
