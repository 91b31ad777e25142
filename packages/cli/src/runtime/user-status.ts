import type { MachineUserView } from '@latchkey/core';

/** What commands that change one user print with `--json`. */
export const USER_JSON = 'the user, as GET /internal/admin/users/{id} answers it';

type StatusFields = Pick<MachineUserView, 'approvalStatus' | 'isActive'>;

/** Approval and activity in one word: what keeps a person out comes first. */
export function statusOf({ approvalStatus, isActive }: StatusFields): string {
  if (approvalStatus !== 'APPROVED') return approvalStatus.toLowerCase();
  return isActive ? 'active' : 'inactive';
}
