/** A company as the finance database knows it. */
export interface Company {
  id: string;
  code: string | null;
  name: string | null;
}

/** Kinds of identifiers, the most specific first. */
const FIELDS = ['id', 'code', 'name'] as const;

/**
 * Returns those companies that an identifier fits best, in any case: by id, else by code, else by name. A query of the
 * operator's own may find companies by other means; they count when no field fits.
 */
export function bestMatches(companies: readonly Company[], identifier: string): Company[] {
  const wanted = identifier.toLowerCase();
  const distinct = [...new Map(companies.map((company) => [company.id, company])).values()];
  for (const field of FIELDS) {
    const matches = distinct.filter((company) => company[field]?.toLowerCase() === wanted);
    if (matches.length > 0) return matches;
  }
  return distinct;
}
