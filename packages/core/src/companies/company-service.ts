import { AuthError } from '../kernel/auth-error.js';
import { bytesOfBase64url } from '../kernel/base64url.js';
import { checkInput } from '../kernel/check-input.js';
import type { CursorPage } from '../kernel/cursor-page.js';
import { isUuid } from '../kernel/id.js';
import { cursorInput, type CursorInput } from '../kernel/page-input.js';
import { fieldError } from '../kernel/validation-error.js';
import type { CompanyQueries } from './company-queries.js';
import type { CompanyRepository } from './company-repository.js';
import {
  companyFilter,
  companyQuery,
  toCompanyView,
  type CompanyFilter,
  type CompanyView,
  type ResolvedCompany,
} from './company-schema.js';
import { bestMatches } from './company.js';

const companySearch = companyFilter.strict();
const companySlice = cursorInput();

/** Lists companies, and finds the one that an identifier names. The caller of the route decides who may read. */
export class CompanyService {
  readonly #companies: CompanyRepository | undefined;
  readonly #companyQueries: CompanyQueries;

  /** @param companies undefined without a finance database. */
  constructor(companies: CompanyRepository | undefined, companyQueries: CompanyQueries) {
    this.#companies = companies;
    this.#companyQueries = companyQueries;
  }

  /**
   * Returns the companies that have members or invitations: by name, then those without a known name by id. No other service
   * is asked.
   * @throws AuthError `validation_error`, also for a cursor that is not ours.
   */
  async list(filter: CompanyFilter = {}, slice: CursorInput = {}): Promise<CursorPage<CompanyView>> {
    const wanted = checkInput(companySearch, filter, 'query');
    const { limit, cursor } = checkInput(companySlice, slice, 'query');
    const after = cursor === undefined ? undefined : companyOf(cursor);
    // One row more than requested shows that there is a next page.
    const rows = await this.#companyQueries.list(wanted, after, limit + 1);
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return {
      items: items.map(toCompanyView),
      nextCursor: rows.length > limit && last ? Buffer.from(last.id).toString('base64url') : undefined,
    };
  }

  /** @throws AuthError `finance_db_not_configured` */
  assertConfigured(): void {
    this.#configured();
  }

  /**
   * Returns the one company that an identifier fits best: by id, else by code, else by name, in any case.
   * @throws AuthError `finance_db_not_configured`, `validation_error`, `not_found`, `conflict` when several fit equally
   * well, `service_unavailable`.
   */
  async resolve(raw: string): Promise<ResolvedCompany> {
    const companies = this.#configured();
    raw = checkInput(companyQuery, { raw }, 'query').raw;
    const [company, ...others] = bestMatches(await companies.find(raw), raw);
    if (!company) throw AuthError.notFound('The company', 'company_not_found');
    if (others.length > 0)
      throw AuthError.conflict('Several companies fit equally well.', 'company_ambiguous');
    return { companyId: company.id, name: company.name, raw };
  }

  #configured(): CompanyRepository {
    if (this.#companies) return this.#companies;
    throw new AuthError('finance_db_not_configured', 'No finance database is configured.');
  }
}

/** Returns the company after which a page begins. @throws AuthError `validation_error` */
function companyOf(cursor: string): string {
  const id = bytesOfBase64url(cursor)?.toString() ?? '';
  if (isUuid(id)) return id;
  throw fieldError('cursor', 'format', 'is invalid; use the one that a previous page returned');
}
