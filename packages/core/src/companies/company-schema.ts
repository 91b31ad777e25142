import { z } from 'zod';

/** Schema of an identifier of a company: its id, its code or its name. */
export const companyQuery = z.object({
  raw: z
    .string()
    .min(1, 'must not be empty')
    .max(200, 'must be at most 200 characters')
    .describe('Id, code or name of a company.'),
});

/** Schema of the company that a text names, with the text. */
export const resolvedCompany = z
  .object({ companyId: z.guid(), name: z.string().nullable(), raw: z.string() })
  .meta({ id: 'ResolvedCompany' });
/** The company that a text names; `name` is null if only its id is known. */
export type ResolvedCompany = z.output<typeof resolvedCompany>;
