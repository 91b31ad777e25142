import type { MemberView } from '@latchkey/core';
import type { ListFormat } from '../../runtime/output.js';
import type { Style } from '../../runtime/terminal.js';

/** A membership as one line of the list. */
interface MemberLine {
  userId: string;
  email: string;
  role: string;
  status: string;
  modules: string;
  permissions: string;
  delegation: string;
  businessUnits: number;
  financeRole: string | null;
  approvalLimit: string | null;
  isPrimaryFinanceAdmin: boolean;
}

export const MEMBER_LIST: ListFormat<MemberLine> = {
  noun: 'members',
  columns: [
    { title: 'EMAIL', text: ({ email }) => email, whenNarrow: 'shrink' },
    { title: 'ROLE', text: ({ role }) => role },
    { title: 'STATUS', text: ({ status }) => status, style: styleOf },
    { title: 'MODULES', text: ({ modules }) => modules || '(no list)', whenNarrow: 'shrink' },
    { title: 'DELEGATION', text: ({ delegation }) => delegation, whenNarrow: 'drop' },
    { title: 'UNITS', text: ({ businessUnits }) => String(businessUnits || ''), whenNarrow: 'drop' },
    { title: 'FINANCE', text: financeText, whenNarrow: 'drop' },
  ],
  fields: [
    'userId',
    'email',
    'role',
    'status',
    'modules',
    'permissions',
    'delegation',
    'businessUnits',
    'financeRole',
    'approvalLimit',
    'isPrimaryFinanceAdmin',
  ],
  id: ({ userId }) => userId,
};

export const toMemberLine = (member: MemberView): MemberLine => ({
  userId: member.userId,
  email: member.user.email,
  role: member.role,
  status: statusOf(member),
  modules: member.moduleGrants.join(' '),
  permissions: member.permissionGrants.join(' '),
  delegation: delegationText(member.delegation),
  businessUnits: member.businessUnitMemberships.filter(({ isActive }) => isActive).length,
  financeRole: member.financeRole,
  approvalLimit: member.approvalLimit,
  isPrimaryFinanceAdmin: member.isPrimaryFinanceAdmin,
});

/** Returns the reason why a member has no access, the membership first; `active` if there is none. */
function statusOf({ isActive, user }: MemberView): string {
  if (!isActive) return 'inactive';
  if (user.approvalStatus !== 'APPROVED') return `user ${user.approvalStatus.toLowerCase()}`;
  return user.isActive ? 'active' : 'user inactive';
}

function styleOf({ status }: MemberLine): Style | undefined {
  return status === 'active' ? undefined : 'yellow';
}

/** Returns `users addons modules:2`. */
function delegationText(delegation: MemberView['delegation']): string {
  const { canManageUsers, canBuyAddons, grantableModules, grantablePermissions } = delegation;
  return [
    canManageUsers ? 'users' : '',
    canBuyAddons ? 'addons' : '',
    grantableModules.length > 0 ? `modules:${grantableModules.length}` : '',
    grantablePermissions.length > 0 ? `permissions:${grantablePermissions.length}` : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}

function financeText({ financeRole, approvalLimit, isPrimaryFinanceAdmin }: MemberLine): string {
  return [
    financeRole?.toLowerCase() ?? '',
    approvalLimit === null ? '' : `up to ${approvalLimit}`,
    isPrimaryFinanceAdmin ? 'primary' : '',
  ]
    .filter((text) => text !== '')
    .join(', ');
}
