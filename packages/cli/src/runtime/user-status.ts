import type { MachineUserView } from '@latchkey/core';

/** Describes the output of `--json` of commands that change one user. */
export const USER_JSON = 'the user, as GET /internal/admin/users/{id} returns it';

/** Returns approval and activity in one word; the reason that prevents signing in comes first. */
export function statusOf({
  approvalStatus,
  isActive,
  erasedAt,
}: Pick<MachineUserView, 'approvalStatus' | 'isActive' | 'erasedAt'>): string {
  if (erasedAt !== undefined) return 'erased';
  if (approvalStatus !== 'APPROVED') return approvalStatus.toLowerCase();
  return isActive ? 'active' : 'inactive';
}
