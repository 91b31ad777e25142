import { z } from 'zod';
import { atLeastOneField } from '../kernel/patch-input.js';
import { uuidInput } from '../kernel/uuid-input.js';

const MAX_KEYS = 500;

/**
 * The name of a role in a company: `TENANT_SUPERADMIN`, `ADMIN` or any other.
 * @example
 * ```ts
 * membershipRoleInput.parse('HEAD_OF_SALES'); // → 'HEAD_OF_SALES'
 * membershipRoleInput.safeParse('Head of sales').success; // → false
 * ```
 */
export const membershipRoleInput = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'must be capital letters, digits and _, at most 64, a letter first');

/**
 * The key of a module or a permission.
 * @example
 * ```ts
 * keyInput.parse('invoices:approve'); // → 'invoices:approve'
 * keyInput.safeParse('invoices approve').success; // → false
 * ```
 */
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

/**
 * Input that creates or changes a company membership.
 * @example
 * ```ts
 * const userId = '018F4E6E-0000-7000-8000-000000000001';
 * const { moduleGrants } = companyMembershipInput.parse({ userId, moduleGrants: ['billing', 'billing'] });
 * moduleGrants; // → ['billing']
 * companyMembershipInput.safeParse({ userId, approvalLimit: 250 }).success; // → false
 * ```
 */
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
/**
 * A company membership to create or change: omitted fields stay as they are.
 * @example
 * ```ts
 * const { id } = await kit.user();
 * const input: CompanyMembershipInput = { userId: id, role: 'ADMIN', approvalLimit: '1000.50' };
 * const machine = { kind: 'machine', name: 'hr' } as const;
 * (await kit.auth.memberships.upsertCompany(machine, crypto.randomUUID(), input)).approvalLimit; // → '1000.50'
 * ```
 */
export type CompanyMembershipInput = z.input<typeof companyMembershipInput>;

/**
 * Input that creates or changes a business-unit membership.
 * @example
 * ```ts
 * const userId = '018f4e6e-0000-7000-8000-000000000001';
 * businessUnitMembershipInput.parse({ userId, isActive: false }); // → { userId, isActive: false }
 * ```
 */
export const businessUnitMembershipInput = z.object({ userId: uuidInput, isActive: z.boolean().optional() });
/**
 * A business-unit membership to create or change.
 * @example
 * ```ts
 * const { id, companyId = '' } = await kit.user({ company: 'acme' });
 * const input: BusinessUnitMembershipInput = { userId: id };
 * const unit = { companyId, businessUnitId: crypto.randomUUID() };
 * (await kit.auth.memberships.upsertBusinessUnit({ kind: 'machine', name: 'hr' }, unit, input)).isActive; // → true
 * ```
 */
export type BusinessUnitMembershipInput = z.input<typeof businessUnitMembershipInput>;

const financeFields = z.object({
  financeRole: z.enum(['SUBMITTER', 'APPROVER']).nullable().optional(),
  approvalLimit: approvalLimitInput.optional(),
});

/**
 * Input that changes the finance fields of a company membership.
 * @example
 * ```ts
 * companyFinanceInput.parse({ financeRole: 'APPROVER', approvalLimit: null }).approvalLimit; // → null
 * companyFinanceInput.safeParse({}).error?.issues[0]?.message; // → 'at least one field to change is needed'
 * ```
 */
export const companyFinanceInput = atLeastOneField(
  financeFields.extend({ isPrimaryFinanceAdmin: z.boolean().optional() }),
);
/**
 * Changes of the finance fields of a company membership; an `approvalLimit` of null is unlimited.
 * @example
 * ```ts
 * const promotion: CompanyFinanceInput = { financeRole: 'APPROVER', isPrimaryFinanceAdmin: true };
 * companyFinanceInput.parse(promotion); // → promotion
 * ```
 */
export type CompanyFinanceInput = z.input<typeof companyFinanceInput>;

/**
 * Input that changes the finance fields of a business-unit membership.
 * @example
 * ```ts
 * businessUnitFinanceInput.parse({ isPrimaryApprover: true }); // → { isPrimaryApprover: true }
 * ```
 */
export const businessUnitFinanceInput = atLeastOneField(
  financeFields.extend({ isPrimaryApprover: z.boolean().optional() }),
);
/**
 * Changes of the finance fields of a business-unit membership.
 * @example
 * ```ts
 * const input: BusinessUnitFinanceInput = { financeRole: 'SUBMITTER', approvalLimit: '99.95' };
 * businessUnitFinanceInput.parse(input).financeRole; // → 'SUBMITTER'
 * ```
 */
export type BusinessUnitFinanceInput = z.input<typeof businessUnitFinanceInput>;

/**
 * An approval limit alone: a decimal as text, null for none.
 * @example
 * ```ts
 * companyApprovalLimitInput.parse({ approvalLimit: '250.00' }); // → { approvalLimit: '250.00' }
 * companyApprovalLimitInput.safeParse({ approvalLimit: 250 }).success; // → false
 * ```
 */
export const companyApprovalLimitInput = z.object({ approvalLimit: approvalLimitInput });
/**
 * An approval limit alone; text, since a JSON number would lose digits.
 * @example
 * ```ts
 * const unlimited: CompanyApprovalLimitInput = { approvalLimit: null };
 * companyApprovalLimitInput.parse(unlimited); // → unlimited
 * ```
 */
export type CompanyApprovalLimitInput = z.input<typeof companyApprovalLimitInput>;

const companyId = uuidInput.describe('Id of the company.');
const businessUnitId = uuidInput.describe('Id of the business unit.');

/**
 * The key of a company membership.
 * @example
 * ```ts
 * const companyId = '018F4E6E-0000-7000-8000-00000000000A';
 * const userId = '018f4e6e-0000-7000-8000-000000000001';
 * companyMembershipKeyInput.parse({ companyId, userId }).companyId; // → '018f4e6e-0000-7000-8000-00000000000a'
 * ```
 */
export const companyMembershipKeyInput = z.object({
  companyId,
  userId: uuidInput.describe('Id of the user.'),
});

/**
 * Maximum number of members in one page: clients read all of a company at once instead of paging.
 * @example
 * ```ts
 * pageInput(MAX_PEOPLE).parse({ limit: '1000000' }).limit; // → 100_000
 * ```
 */
export const MAX_PEOPLE = 100_000;

/**
 * The key of a business unit.
 * @example
 * ```ts
 * const { error } = businessUnitInput.safeParse({ companyId: 'acme' });
 * error?.issues.map(({ path }) => path[0]); // → ['companyId', 'businessUnitId']
 * ```
 */
export const businessUnitInput = z.object({ companyId, businessUnitId });

/**
 * The key of a business-unit membership.
 * @example
 * ```ts
 * Object.keys(businessUnitMembershipKeyInput.shape); // → ['companyId', 'userId', 'businessUnitId']
 * ```
 */
export const businessUnitMembershipKeyInput = companyMembershipKeyInput.extend({ businessUnitId });
