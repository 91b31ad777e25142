import { z } from 'zod';
import { atLeastOneField } from '../kernel/patch-input.js';
import { uuidInput } from '../kernel/uuid-input.js';
import { userFilter } from '../users/user-schema.js';

const MAX_KEYS = 500;

/** The name of a role in a company: `TENANT_SUPERADMIN`, `ADMIN` or any other. */
export const membershipRoleInput = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'must be capital letters, digits and _, at most 64, a letter first');

/** The key of a module or a permission. */
export const keyInput = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/, 'must be letters, digits and . _ : -, at most 100');

/** Keys in any order; duplicates are removed. */
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

const ruleFields = { moduleKey: keyInput, effect: z.enum(['GRANT', 'DENY']) };

export const moduleRuleInput = z.discriminatedUnion(
  'source',
  [
    z.object({
      ...ruleFields,
      source: z.literal('MEMBER'),
      teamId: z.never('goes with the source TEAM only').optional(),
    }),
    z.object({ ...ruleFields, source: z.literal('TEAM'), teamId: uuidInput.optional() }),
  ],
  'must be MEMBER or TEAM',
);

/** Input that creates or changes a company membership. */
export const companyMembershipInput = z.object({
  userId: uuidInput,
  role: membershipRoleInput.optional(),
  isActive: z.boolean().optional(),
  approvalLimit: approvalLimitInput.optional(),
  moduleGrants: keysInput.optional(),
  permissionGrants: keysInput.optional(),
  delegation: delegationInput.optional(),
  moduleRules: z.array(moduleRuleInput).max(MAX_KEYS, `must be at most ${MAX_KEYS} rules`).optional(),
});
/** A company membership to create or change: omitted fields stay as they are. */
export type CompanyMembershipInput = z.input<typeof companyMembershipInput>;

/** Input that creates or changes a business-unit membership. */
export const businessUnitMembershipInput = z.object({ userId: uuidInput, isActive: z.boolean().optional() });
/** A business-unit membership to create or change. */
export type BusinessUnitMembershipInput = z.input<typeof businessUnitMembershipInput>;

const financeFields = z.object({
  financeRole: z.enum(['SUBMITTER', 'APPROVER']).nullable().optional(),
  approvalLimit: approvalLimitInput.optional(),
});

/** Input that changes the finance fields of a company membership. */
export const companyFinanceInput = atLeastOneField(
  financeFields.extend({ isPrimaryFinanceAdmin: z.boolean().optional() }),
);
/** Changes of the finance fields of a company membership; an `approvalLimit` of null is unlimited. */
export type CompanyFinanceInput = z.input<typeof companyFinanceInput>;

/** Input that changes the finance fields of a business-unit membership. */
export const businessUnitFinanceInput = atLeastOneField(
  financeFields.extend({ isPrimaryApprover: z.boolean().optional() }),
);
/** Changes of the finance fields of a business-unit membership. */
export type BusinessUnitFinanceInput = z.input<typeof businessUnitFinanceInput>;

/** Input that changes an approval limit alone. */
export const companyApprovalLimitInput = z.object({ approvalLimit: approvalLimitInput });
/** An approval limit alone: a decimal as text, since a JSON number would lose digits; null for none. */
export type CompanyApprovalLimitInput = z.input<typeof companyApprovalLimitInput>;

const companyId = uuidInput.describe('Id of the company.');
const businessUnitId = uuidInput.describe('Id of the business unit.');

/** The key of a company membership. */
export const companyMembershipKeyInput = z.object({
  companyId,
  userId: uuidInput.describe('Id of the user.'),
});

/** Maximum number of members in one page: clients read all of a company at once instead of paging. */
export const MAX_PEOPLE = 100_000;

/** The key of a business unit. */
export const businessUnitInput = z.object({ companyId, businessUnitId });

/** The key of a business-unit membership. */
export const businessUnitMembershipKeyInput = companyMembershipKeyInput.extend({ businessUnitId });

/** Schema of a filter of the active members of a company. */
export const memberFilter = z.object({
  role: membershipRoleInput.optional().describe('Only members with this role.'),
  search: userFilter.shape.search,
});
/** Filter of members: by role, by the start of an email or a part of a name. */
export type MemberFilterInput = z.input<typeof memberFilter>;
export type CheckedMemberFilter = z.output<typeof memberFilter>;
