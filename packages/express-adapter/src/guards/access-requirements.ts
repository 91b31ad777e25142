import { z } from 'zod';
import { AuthError, type AccessView } from '@latchkey/core';
import { keyInput, membershipRoleInput } from '@latchkey/core/schemas';
import { exampleOf } from './assert-use.js';

interface Need {
  /** The key of a module. */
  module: string;
  /** The key of a permission. Administrators of the platform who are no members have none. */
  permission: string;
  /** The role of the membership; of several, any. Administrators of the platform who are no members have none. */
  role: string | readonly string[];
}

/**
 * What a caller must hold in the company of `x-org`: all that is named, and at least one thing.
 * @example
 * ```ts
 * const REQUIREMENTS: Record<string, AccessRequirements> = {
 *   read: { module: 'billing' },
 *   approve: { module: 'billing', permission: 'invoices:approve', role: ['ADMIN', 'APPROVER'] },
 * };
 * Object.keys(REQUIREMENTS); // → ['read', 'approve']
 * ```
 */
export type AccessRequirements = Partial<Need> &
  (Pick<Need, 'module'> | Pick<Need, 'permission'> | Pick<Need, 'role'>);

const accessRequirements = z.strictObject({
  module: keyInput.optional(),
  permission: keyInput.optional(),
  role: z.union([membershipRoleInput, z.array(membershipRoleInput).min(1)]).optional(),
});

/** Requirements that were checked. */
export type CheckedRequirements = z.output<typeof accessRequirements>;

/**
 * @throws TypeError for needs that are unknown, malformed, or there without a value: one that is forgotten would let
 * everybody in.
 */
export function readRequirements(needs: unknown): CheckedRequirements {
  const parsed = accessRequirements.safeParse(needs);
  const isEmpty = parsed.success && Object.values(parsed.data).every((need) => need === undefined);
  const isForgotten = parsed.success && Object.values(needs as object).includes(undefined);
  if (parsed.success && !isEmpty && !isForgotten) return parsed.data;
  throw new TypeError(
    `requireAccess needs module, permission or role, each with a value${faultsOf(parsed.error)}. ` +
      `Write: ${exampleOf('requireAccess')}`,
  );
}

const faultsOf = (error: z.ZodError | undefined): string =>
  error ? ` (${error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')})` : '';

/** @throws AuthError `forbidden`, naming what is missing. */
export function assertHolds(access: AccessView, { module, permission, role }: CheckedRequirements): void {
  if (module !== undefined && !access.modules.includes(module)) throw missing('module', module);
  if (permission !== undefined && !access.permissions.includes(permission)) {
    throw missing('permission', permission);
  }
  const roles = role === undefined ? undefined : [role].flat();
  if (roles && !roles.includes(access.metadata.role ?? '')) throw missing('role', roles.join(' or '));
}

const missing = (what: 'module' | 'permission' | 'role', names: string): AuthError =>
  AuthError.forbidden(`The ${what} ${names} is needed in this company.`, `${what}_missing`);
