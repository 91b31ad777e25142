import { z } from 'zod';
import { delegationView } from '../memberships/membership-schema.js';
import { GLOBAL_ROLES } from '../users/user.js';
import { MODULE_REASONS } from './effective-modules.js';
import { ACCESS_POLICY_MODES } from './entitlements.js';

export const accessView = z
  .object({
    modules: z.array(z.string()),
    permissions: z.array(z.string()),
    delegation: delegationView,
    metadata: z.object({
      companyId: z.guid(),
      userId: z.guid(),
      /** Null for an administrator of the platform who is no member. */
      role: z.string().nullable(),
      globalRole: z.enum(GLOBAL_ROLES),
      accessPolicyMode: z.enum(ACCESS_POLICY_MODES),
      businessUnitIds: z.array(z.guid()),
      entitledModules: z.array(z.string()),
      resolvedAt: z.iso.datetime(),
    }),
  })
  .meta({ id: 'Access' });
export type AccessView = z.output<typeof accessView>;

const moduleReason = z.enum(MODULE_REASONS);

const moduleExplanation = z.object({
  moduleKey: z.string(),
  isEffective: z.boolean(),
  reason: moduleReason,
  /** Under SHADOW: what ENFORCED would say. */
  enforcedReason: moduleReason.optional(),
});
export type ModuleExplanation = z.output<typeof moduleExplanation>;

export const explainedAccessView = accessView
  .extend({ explanation: z.array(moduleExplanation).optional() })
  .meta({ id: 'ExplainedAccess' });
export type ExplainedAccessView = z.output<typeof explainedAccessView>;
