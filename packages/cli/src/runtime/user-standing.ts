import type { ApprovalStatus, GlobalRole, MachineUserView } from '@latchkey/core';

/** Written out here because the help must not load the core; a test holds them against its lists. */
export const ROLES = [
  'NONE',
  'PLATFORM_MODERATOR',
  'PLATFORM_ADMIN',
  'PLATFORM_SUPERADMIN',
] as const satisfies GlobalRole[];
export const STATUSES = ['PENDING', 'APPROVED', 'REJECTED'] as const satisfies ApprovalStatus[];

/** What commands that change one user print with `--json`. */
export const USER_JSON = 'the user, as GET /internal/admin/users/{id} answers it';

type Standing = Pick<MachineUserView, 'approvalStatus' | 'isActive'>;

/** Approval and activity in one word: what keeps a person out comes first. */
export function statusOf({ approvalStatus, isActive }: Standing): string {
  if (approvalStatus !== 'APPROVED') return approvalStatus.toLowerCase();
  return isActive ? 'active' : 'inactive';
}
