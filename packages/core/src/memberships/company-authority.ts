import { AuthError } from '../kernel/auth-error.js';
import { mayAct, reaches } from '../users/authority.js';
import type { GlobalRole } from '../users/user.js';
import type { CompanyMembership } from './membership.js';

export const TENANT_SUPERADMIN = 'TENANT_SUPERADMIN';
export const COMPANY_ADMIN = 'ADMIN';

type RoleAndActivity = Pick<CompanyMembership, 'role' | 'isActive'>;

/**
 * Facts that decide about a user in a company: their role on the platform and their membership of the
 * company.
 */
export interface CompanyAuthority {
  globalRole: GlobalRole;
  membership: RoleAndActivity | undefined;
}

/** Reports whether a role is that of a superadmin or admin of the platform: they act in every company. */
export const isPlatformAdministrator = (role: GlobalRole): boolean =>
  role === 'PLATFORM_SUPERADMIN' || role === 'PLATFORM_ADMIN';

/** Reports whether a membership is that of an active `TENANT_SUPERADMIN` or `ADMIN`. */
export const isCompanyAdministrator = (membership: RoleAndActivity | undefined): boolean =>
  membership?.isActive === true &&
  (membership.role === TENANT_SUPERADMIN || membership.role === COMPANY_ADMIN);

/**
 * Reports whether a user may change memberships of the company at all, whichever member is concerned.
 * @example
 * ```ts
 * mayManageCompany({ globalRole: 'NONE', membership: { role: 'MEMBER', isActive: true } }); // → false
 * mayManageCompany({ globalRole: 'PLATFORM_ADMIN', membership: undefined }); // → true
 * ```
 */
export const mayManageCompany = ({ globalRole, membership }: CompanyAuthority): boolean =>
  isPlatformAdministrator(globalRole) || isCompanyAdministrator(membership);

/**
 * Reports whether a user may list the company's members: all platform staff may.
 * @example
 * ```ts
 * mayListCompany({ globalRole: 'PLATFORM_MODERATOR', membership: undefined }); // → true
 * mayListCompany({ globalRole: 'NONE', membership: { role: 'ADMIN', isActive: false } }); // → false
 * ```
 */
export const mayListCompany = ({ globalRole, membership }: CompanyAuthority): boolean =>
  mayAct(globalRole, 'read') || isCompanyAdministrator(membership);

/** Throws unless `mayManageCompany`. @throws AuthError `forbidden` */
export function assertMayManageCompany(user: CompanyAuthority): void {
  if (!mayManageCompany(user)) throw AuthError.forbidden();
}

/** A user who changes a membership. */
export type MembershipEditor = CompanyAuthority & { userId: string };

/** A change of a membership: the member, and the membership before and after. */
export interface MembershipEdit {
  member: { id: string; globalRole: GlobalRole };
  /** The current membership; undefined when there is none yet. */
  current: RoleAndActivity | undefined;
  /** The membership after the change. */
  wanted: RoleAndActivity;
}

/**
 * Throws unless the editor may make this change. Platform staff reach members below their rank; a company's
 * `ADMIN` reaches no `TENANT_SUPERADMIN`, neither as the current role nor as the new one. Users do not decide
 * on their own role or activity.
 * @throws AuthError `forbidden`
 */
export function assertMayEditMembership(editor: MembershipEditor, edit: MembershipEdit): void {
  if (!mayEditMembership(editor, edit)) throw AuthError.forbidden();
}

/** Reports whether the editor may make this change; see `assertMayEditMembership`. */
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

/** Returns the refusal of a change that would leave a company without a `TENANT_SUPERADMIN`. */
export const lastCompanySuperadmin = (): AuthError =>
  AuthError.conflict(
    'This is the last TENANT_SUPERADMIN of the company. Make another member one first.',
    'last_company_superadmin',
  );
