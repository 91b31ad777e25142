import { z } from 'zod';

/**
 * Schema of an identifier of a company: its id, its code or its name.
 * @example
 * ```ts
 * companyQuery.parse({ raw: 'acme' }); // → { raw: 'acme' }
 * companyQuery.safeParse({ raw: '' }).success; // → false
 * ```
 */
export const companyQuery = z.object({
  raw: z
    .string()
    .min(1, 'must not be empty')
    .max(200, 'must be at most 200 characters')
    .describe('Id, code or name of a company.'),
});

/**
 * Schema of the company that a text names, with the text.
 * @example
 * ```ts
 * const companyId = '018f4e6e-0000-7000-8000-00000000000a';
 * const found = { companyId, name: null, raw: 'ACME' };
 * resolvedCompany.parse({ ...found, somethingElse: 1 }); // → found
 * ```
 */
export const resolvedCompany = z
  .object({ companyId: z.guid(), name: z.string().nullable(), raw: z.string() })
  .meta({ id: 'ResolvedCompany' });
/**
 * The company that a text names; `name` is null if only its id is known.
 * @example
 * ```ts
 * const labelOf = ({ name, companyId }: ResolvedCompany): string => name ?? companyId;
 * labelOf({ companyId: '018f4e6e-0000-7000-8000-00000000000a', name: 'Acme', raw: 'acme' }); // → 'Acme'
 * ```
 */
export type ResolvedCompany = z.output<typeof resolvedCompany>;
