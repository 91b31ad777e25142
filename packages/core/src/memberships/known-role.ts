import { fieldError } from '../kernel/validation-error.js';
import type { Transaction } from '../storage/database.js';
import { COMPANY_ADMIN, TENANT_SUPERADMIN } from './company-authority.js';
import type { MembershipWriteRepository } from './membership-write-repository.js';
import { DEFAULT_ROLE } from './membership-write.js';

/** Roles that need no definition. */
const BUILT_IN = new Set([TENANT_SUPERADMIN, COMPANY_ADMIN, DEFAULT_ROLE]);

/**
 * Throws for a role that is neither built in nor defined, if roles are strict. The transaction has locked the memberships, and
 * with them the definitions.
 * @throws AuthError `validation_error`
 */
export async function assertRoleKnown(
  { companyId, role }: { companyId: string; role?: string | undefined },
  {
    strictRoles,
    membershipWrites,
  }: { strictRoles: boolean; membershipWrites: Pick<MembershipWriteRepository, 'isDefined'> },
  trx: Transaction,
): Promise<void> {
  if (!strictRoles || role === undefined || BUILT_IN.has(role)) return;
  if (await membershipWrites.isDefined(companyId, role, trx)) return;
  throw fieldError('role', 'format', 'is not defined in this company; define it, or use a role that is');
}
