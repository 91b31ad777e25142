import { AuthError } from '../kernel/auth-error.js';
import { mayAct, reaches } from '../users/authority.js';
import type { GlobalRole } from '../users/user.js';
import type { CompanyMembership } from './membership.js';

export const TENANT_SUPERADMIN = 'TENANT_SUPERADMIN';
const COMPANY_ADMIN = 'ADMIN';

type Place = Pick<CompanyMembership, 'role' | 'isActive'>;

/**
 * What decides on somebody in a company: their rank on the platform and their place in that company.
 * @example
 * ```ts
 * const standing: CompanyAuthority = { globalRole: 'NONE', membership: { role: 'ADMIN', isActive: true } };
 * mayManageCompany(standing); // → true
 * ```
 */
export interface CompanyAuthority {
  globalRole: GlobalRole;
  membership: Place | undefined;
}

/** Superadmins and admins of the platform act in every company. */
export const isPlatformAdministrator = (role: GlobalRole): boolean =>
  role === 'PLATFORM_SUPERADMIN' || role === 'PLATFORM_ADMIN';

/** An active `TENANT_SUPERADMIN` or `ADMIN` of the company the membership is of. */
export const isCompanyAdministrator = (membership: Place | undefined): boolean =>
  membership?.isActive === true &&
  (membership.role === TENANT_SUPERADMIN || membership.role === COMPANY_ADMIN);

/**
 * Whether somebody may change the company's memberships at all, before looking at whose.
 * @example
 * ```ts
 * mayManageCompany({ globalRole: 'NONE', membership: { role: 'MEMBER', isActive: true } }); // → false
 * mayManageCompany({ globalRole: 'PLATFORM_ADMIN', membership: undefined }); // → true
 * ```
 */
export const mayManageCompany = ({ globalRole, membership }: CompanyAuthority): boolean =>
  isPlatformAdministrator(globalRole) || isCompanyAdministrator(membership);

/**
 * Whether somebody may list the company's people: all platform staff may.
 * @example
 * ```ts
 * mayListCompany({ globalRole: 'PLATFORM_MODERATOR', membership: undefined }); // → true
 * mayListCompany({ globalRole: 'NONE', membership: { role: 'ADMIN', isActive: false } }); // → false
 * ```
 */
export const mayListCompany = ({ globalRole, membership }: CompanyAuthority): boolean =>
  mayAct(globalRole, 'read') || isCompanyAdministrator(membership);

/** @throws AuthError `forbidden` */
export function assertMayManageCompany(standing: CompanyAuthority): void {
  if (!mayManageCompany(standing)) throw AuthError.forbidden();
}

/** Somebody who changes a membership. */
export type MembershipEditor = CompanyAuthority & { userId: string };

/** Whose membership is changed, and what it makes of their place. */
export interface MembershipEdit {
  member: { id: string; globalRole: GlobalRole };
  /** The member's place as it is; undefined when there is none yet. */
  current: Place | undefined;
  /** The place as it will be. */
  wanted: Place;
}

/**
 * Decides one change of a company membership. Platform staff reach members below their rank; a company's `ADMIN`
 * reaches no `TENANT_SUPERADMIN`, neither as the role that is held nor as the one that is asked for. Nobody decides
 * on their own role or activity.
 * @throws AuthError `forbidden`
 */
export function assertMayEditMembership(editor: MembershipEditor, edit: MembershipEdit): void {
  if (!mayEditMembership(editor, edit)) throw AuthError.forbidden();
}

/** The same as a question. */
export function mayEditMembership(editor: MembershipEditor, edit: MembershipEdit): boolean {
  const { member, current, wanted } = edit;
  const changesMembership = current?.role !== wanted.role || current.isActive !== wanted.isActive;
  if (editor.userId === member.id && changesMembership) return false;
  return actsForPlatform(editor, member) || actsForCompany(editor, edit);
}

const actsForPlatform = (editor: MembershipEditor, member: MembershipEdit['member']): boolean =>
  isPlatformAdministrator(editor.globalRole) && reaches(editor.globalRole, member.globalRole);

function actsForCompany({ membership }: MembershipEditor, { current, wanted }: MembershipEdit): boolean {
  if (!membership || !isCompanyAdministrator(membership)) return false;
  if (membership.role === TENANT_SUPERADMIN) return true;
  return current?.role !== TENANT_SUPERADMIN && wanted.role !== TENANT_SUPERADMIN;
}
