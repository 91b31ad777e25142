import { z } from 'zod';

/** What the core service knows of a company, as far as Latchkey asks. */
export const company = z.strictObject({
  modules: z.array(z.string().min(1)),
  accessPolicyMode: z.enum(['ENFORCED', 'LEGACY', 'SHADOW']).optional(),
  permissions: z.array(z.string().min(1)).optional(),
});
export type Company = z.output<typeof company>;
