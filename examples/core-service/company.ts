import { z } from 'zod';

/** A company's entitlements, as far as Latchkey reads them. */
export const company = z.strictObject({
  modules: z.array(z.string().min(1)),
  accessPolicyMode: z.enum(['ENFORCED', 'LEGACY', 'SHADOW']).optional(),
  permissions: z.array(z.string().min(1)).optional(),
  requireSecondFactor: z.boolean().optional(),
  name: z.string().optional(),
});
export type Company = z.output<typeof company>;
