import { z } from 'zod';
import { AuthError, type AccessView } from '@latchkey/core';
import { keyInput, membershipRoleInput } from '@latchkey/core/schemas';
import { guardLine } from './guard-line.js';

interface AllRequirements {
  /** The key of a module. */
  module: string;
  /** The key of a permission. Platform administrators who are not members have none. */
  permission: string;
  /** The role of the membership, or several of which one is enough. Platform administrators who are not members have none. */
  role: string | readonly string[];
}

/** Requirements for a caller in the company of `x-org`. At least one is required; all that are given must hold. */
export type AccessRequirements = Partial<AllRequirements> & {
  /** True if an API key is accepted. Defaults to the option of the guards. */
  apiKeys?: boolean;
} & (Pick<AllRequirements, 'module'> | Pick<AllRequirements, 'permission'> | Pick<AllRequirements, 'role'>);

const accessRequirements = z.strictObject({
  module: keyInput.optional(),
  permission: keyInput.optional(),
  role: z.union([membershipRoleInput, z.array(membershipRoleInput).min(1)]).optional(),
  apiKeys: z.boolean().optional(),
});

/** Requirements that have been validated. */
type CheckedRequirements = z.output<typeof accessRequirements>;

/**
 * Validates requirements.
 * @throws TypeError for requirements that are unknown, malformed or undefined: an undefined one would allow every caller.
 */
export function readRequirements(given: unknown): CheckedRequirements {
  const parsed = accessRequirements.safeParse(given);
  const { apiKeys: _apiKeys, ...required } = parsed.data ?? {};
  const isEmpty = parsed.success && Object.values(required).every((value) => value === undefined);
  const hasUndefined = parsed.success && Object.values(given as object).includes(undefined);
  if (parsed.success && !isEmpty && !hasUndefined) return parsed.data;
  throw new TypeError(
    `requireAccess requires module, permission or role, each with a value${faultsOf(parsed.error)}. ` +
      `Write: ${guardLine('requireAccess')}`,
  );
}

const faultsOf = (error: z.ZodError | undefined): string =>
  error ? ` (${error.issues.map(faultOf).join('; ')})` : '';

const faultOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'unrecognized_keys') return `unknown: ${issue.keys.join(', ')}`;
  return issue.path.length === 0 ? 'an object is needed' : `${issue.path.join('.')}: ${issue.message}`;
};

/** @throws AuthError `forbidden` that names the first missing requirement. */
export function assertHolds(access: AccessView, { module, permission, role }: CheckedRequirements): void {
  if (module !== undefined && !access.modules.includes(module)) throw missing('module', module);
  if (permission !== undefined && !access.permissions.includes(permission)) {
    throw missing('permission', permission);
  }
  const roles = role === undefined ? undefined : [role].flat();
  if (roles && !roles.includes(access.metadata.role ?? '')) throw missing('role', roles.join(' or '));
}

const missing = (kind: 'module' | 'permission' | 'role', names: string): AuthError =>
  AuthError.forbidden(`The ${kind} ${names} is required in this company.`, `${kind}_missing`);
