import { z } from 'zod';

const MAX_KEYS = 500;

const uuid = z.guid('must be a UUID').transform((text) => text.toLowerCase());

/** The name of a role in a company: `TENANT_SUPERADMIN`, `ADMIN` or any other. */
export const membershipRoleInput = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'must be capital letters, digits and _, at most 64, a letter first');

/** The key of a module or a permission. */
export const keyInput = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/, 'must be letters, digits and . _ : -, at most 100');

/** Keys in any order; one that is there twice counts once. */
export const keysInput = z
  .array(keyInput)
  .max(MAX_KEYS, `must be at most ${MAX_KEYS} keys`)
  .transform((keys) => [...new Set(keys)]);

export const delegationInput = z.object({
  canManageUsers: z.boolean().optional(),
  canBuyAddons: z.boolean().optional(),
  grantableModules: keysInput.optional(),
  grantablePermissions: keysInput.optional(),
});

/** A decimal as text, kept as it was written: a JSON number would lose digits. */
export const approvalLimitInput = z
  .string('must be a decimal as text, or null')
  .regex(/^\d{1,15}(\.\d{1,4})?$/, 'must be a decimal with at most 15 digits and 4 decimals')
  .nullable();

const moduleRuleInput = z
  .object({
    moduleKey: keyInput,
    effect: z.enum(['GRANT', 'DENY']),
    source: z.enum(['MEMBER', 'TEAM']),
    teamId: uuid.optional(),
  })
  .refine(({ source, teamId }) => source === 'TEAM' || teamId === undefined, {
    path: ['teamId'],
    message: 'goes with the source TEAM only',
  });

/** What makes or changes a user's place in a company. */
export const companyMembershipInput = z.object({
  userId: uuid,
  role: membershipRoleInput.optional(),
  isActive: z.boolean().optional(),
  approvalLimit: approvalLimitInput.optional(),
  moduleGrants: keysInput.optional(),
  permissionGrants: keysInput.optional(),
  delegation: delegationInput.optional(),
  moduleRules: z.array(moduleRuleInput).max(MAX_KEYS, `must be at most ${MAX_KEYS} rules`).optional(),
});
export type CompanyMembershipInput = z.output<typeof companyMembershipInput>;

/** What makes or changes a user's place in a business unit. */
export const businessUnitMembershipInput = z.object({ userId: uuid, isActive: z.boolean().optional() });
export type BusinessUnitMembershipInput = z.output<typeof businessUnitMembershipInput>;

const AT_LEAST_ONE = 'at least one field to change is needed';
const changesSomething = (patch: object): boolean =>
  Object.values(patch).some((value) => value !== undefined);

const financeFields = z.object({
  financeRole: z.enum(['SUBMITTER', 'APPROVER']).nullable().optional(),
  approvalLimit: approvalLimitInput.optional(),
});

/** What is changed of a member's part in the finance workflow of the company. */
export const companyFinanceInput = financeFields
  .extend({ isPrimaryFinanceAdmin: z.boolean().optional() })
  .refine(changesSomething, AT_LEAST_ONE);
export type CompanyFinanceInput = z.output<typeof companyFinanceInput>;

/** The same in a business unit. */
export const businessUnitFinanceInput = financeFields
  .extend({ isPrimaryApprover: z.boolean().optional() })
  .refine(changesSomething, AT_LEAST_ONE);
export type BusinessUnitFinanceInput = z.output<typeof businessUnitFinanceInput>;

export const companyApprovalLimitInput = z.object({ approvalLimit: approvalLimitInput });
export type CompanyApprovalLimitInput = z.output<typeof companyApprovalLimitInput>;
