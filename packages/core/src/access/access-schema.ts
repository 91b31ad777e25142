import { z } from 'zod';
import { companyView } from '../companies/company-schema.js';
import { yesOrNo } from '../kernel/query-value.js';
import { delegationView } from '../memberships/membership-schema.js';
import { GLOBAL_ROLES } from '../users/user.js';
import { MODULE_REASONS } from './effective-modules.js';
import { ACCESS_POLICY_MODES } from './entitlements.js';

/** Schema of the options of an access query. */
export const accessQuery = z.object({
  explain: yesOrNo.prefault(false).describe('Whether to add the reason for each module.'),
});
/** Options of an access query: with or without the reason for each module. */
export type AccessQuery = z.input<typeof accessQuery>;

/** Schema of a policy switch. */
export const policySwitch = z.object({
  /** The mode the company is under. Defaults to the current one. */
  from: z.enum(ACCESS_POLICY_MODES).optional(),
  to: z.enum(ACCESS_POLICY_MODES),
});
/** A company's move from one access policy to another, for a preview. */
export type PolicySwitch = z.input<typeof policySwitch>;

/** Schema of the access of a user in a company: the grants, capped by the company's entitlements. */
export const accessView = z
  .object({
    modules: z.array(z.string()),
    permissions: z.array(z.string()),
    delegation: delegationView,
    metadata: z.object({
      companyId: z.guid(),
      /** Name of the company, if its entitlements have one. */
      companyName: z.string().optional(),
      userId: z
        .string()
        .regex(/^(?:key:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
        .describe('The user; `key:` and the id of the key for an API key of a company.'),
      /** Null for an administrator of the platform who is no member. */
      role: z.string().nullable(),
      /** Name of the role, if it has a definition. */
      roleName: z.string().optional(),
      globalRole: z.enum(GLOBAL_ROLES),
      accessPolicyMode: z.enum(ACCESS_POLICY_MODES),
      businessUnitIds: z.array(z.guid()),
      entitledModules: z.array(z.string()),
      resolvedAt: z.iso.datetime(),
    }),
  })
  .meta({ id: 'Access' });
/** The access of a user in a company, as guards and routes return it. */
export type AccessView = z.output<typeof accessView>;

const moduleReason = z.enum(MODULE_REASONS);

const moduleExplanation = z.object({
  moduleKey: z.string(),
  isEffective: z.boolean(),
  reason: moduleReason,
  source: z.literal('ROLE').optional().describe('Present if the role of the member alone grants the module.'),
  /** Under SHADOW: the reason that ENFORCED would give. */
  enforcedReason: moduleReason.optional(),
});
export type ModuleExplanation = z.output<typeof moduleExplanation>;

/** Schema of an access with the reason for each module, if requested. */
export const explainedAccessView = accessView
  .extend({ explanation: z.array(moduleExplanation).optional() })
  .meta({ id: 'ExplainedAccess' });
/** The access of a user with the reason for each module. */
export type ExplainedAccessView = z.output<typeof explainedAccessView>;

/** Schema of a company as those who may list its members see it. */
export const companyDetailsView = z
  .object({
    id: z.guid(),
    name: companyView.shape.name,
    modules: z.array(z.string()).describe('The entitled modules.'),
    permissions: z
      .array(z.string())
      .optional()
      .describe('The entitled permissions; missing if the company does not limit them.'),
    accessPolicyMode: z.enum(ACCESS_POLICY_MODES),
    requiresSecondFactor: z.boolean().describe('True if members must sign in with a second factor.'),
    counts: companyView.pick({ activeMembers: true, openInvitations: true }),
  })
  .meta({ id: 'CompanyDetails' });
/** A company: what it is entitled to, and how many belong to it. */
export type CompanyDetailsView = z.output<typeof companyDetailsView>;
