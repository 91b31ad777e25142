import { z } from 'zod';

/** What somebody calls a company: its id, its code or its name. */
export const companyQuery = z.object({
  raw: z.string().min(1, 'must not be empty').max(200, 'must be at most 200 characters'),
});

export const resolvedCompany = z
  .object({ companyId: z.guid(), name: z.string().nullable(), raw: z.string() })
  .meta({ id: 'ResolvedCompany' });
export type ResolvedCompany = z.output<typeof resolvedCompany>;
