import { z } from 'zod';
import { isUuid } from '../kernel/id.js';
import { isPlainName } from '../kernel/plain-name.js';

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

/** Members and invitations of a company are counted up to this number, so that a list of large companies stays quick. */
export const MOST_COUNTED = 1000;
/** Maximum number of ids of a filter. */
const MOST_IDS = 100;

/** Stays text, so that checking it again changes nothing. */
const idList = z
  .string()
  .max(MOST_IDS * 37 - 1, `must be at most ${MOST_IDS} UUIDs, separated by commas`)
  .transform((text) => text.toLowerCase())
  .refine((text) => text.split(',').every((id) => isUuid(id)), {
    error: `must be at most ${MOST_IDS} UUIDs, separated by commas`,
    params: { reason: 'format' },
  });

/** Schema of a filter of the companies that have members or invitations. */
export const companyFilter = z.object({
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .meta({ pattern: '\\S' })
    .optional()
    .describe('The start of a name or an id.'),
  ids: idList
    .optional()
    .describe(
      `Only these companies: at most ${MOST_IDS} ids, separated by commas. Unknown ones are left out.`,
    ),
});
/** Filter of companies: by the start of a name or an id, or by ids, separated by commas. */
export type CompanyFilter = z.input<typeof companyFilter>;
export type CheckedCompanyFilter = z.output<typeof companyFilter>;

/** A company of the directory. */
export interface ListedCompany {
  id: string;
  name: string | null;
  activeMembers: number;
  openInvitations: number;
  lastActivityAt: Date | null;
}

/** Schema of a company that has members or invitations. */
export const companyView = z
  .object({
    id: z.guid(),
    name: z
      .string()
      .optional()
      .describe('From its entitlements, else from its latest invitation with a name.'),
    activeMembers: z.int().min(0).max(MOST_COUNTED).describe(`Counted up to ${MOST_COUNTED}.`),
    openInvitations: z.int().min(0).max(MOST_COUNTED).describe(`Counted up to ${MOST_COUNTED}.`),
    lastActivityAt: z.iso
      .datetime()
      .optional()
      .describe('The latest entry of the audit log, membership or invitation of the company.'),
  })
  .meta({ id: 'Company' });
/** A company that has members or invitations. Counts end at 1,000; `name` is missing until the service has learned one. */
export type CompanyView = z.output<typeof companyView>;

export function toCompanyView({ name, lastActivityAt, ...company }: ListedCompany): CompanyView {
  return {
    ...company,
    name: name !== null && isPlainName(name) ? name : undefined,
    lastActivityAt: lastActivityAt?.toISOString(),
  };
}
