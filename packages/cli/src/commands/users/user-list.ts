import type { MachineUserView } from '@latchkey/core';
import type { ListFormat } from '../../runtime/output.js';
import { relativeTime } from '../../runtime/relative-time.js';
import type { Style } from '../../runtime/terminal.js';
import { statusOf } from '../../runtime/user-status.js';

export const USER_LIST: ListFormat<MachineUserView> = {
  noun: 'users',
  columns: [
    { title: 'EMAIL', text: ({ email }) => email, whenNarrow: 'shrink' },
    { title: 'STATUS', text: statusOf, style: styleOf },
    { title: 'NAME', text: ({ fullName }) => fullName ?? '', whenNarrow: 'drop', least: 12 },
    { title: 'MAILBOX', text: (user) => mailboxOf(user), style: () => 'yellow', whenNarrow: 'drop' },
    { title: 'ROLE', text: ({ globalRole }) => roleName(globalRole), whenNarrow: 'drop' },
    { title: 'LAST LOGIN', text: ({ lastLoginAt }) => relativeTime(lastLoginAt), whenNarrow: 'drop' },
    { title: 'CREATED', text: ({ createdAt }) => relativeTime(createdAt), whenNarrow: 'drop' },
    { title: 'ID', text: ({ id }) => id, isId: true },
  ],
  fields: [
    'id',
    'email',
    'globalRole',
    'approvalStatus',
    'isActive',
    'createdAt',
    'lastLoginAt',
    'fullName',
    'emailVerifiedAt',
  ],
  id: ({ id }) => id,
};

function styleOf(user: MachineUserView): Style | undefined {
  const status = statusOf(user);
  return status === 'active' ? undefined : status === 'pending' ? 'yellow' : 'red';
}

/** Returns the note that matters for approving a registration. */
const mailboxOf = ({ emailVerifiedAt }: MachineUserView): string =>
  emailVerifiedAt === undefined ? 'not proved' : '';

/** Returns `superadmin` for `PLATFORM_SUPERADMIN`. */
const roleName = (role: MachineUserView['globalRole']): string =>
  role === 'NONE' ? '' : role.replace('PLATFORM_', '').toLowerCase();
