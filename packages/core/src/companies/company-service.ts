import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import type { CompanyRepository } from './company-repository.js';
import { companyQuery, type ResolvedCompany } from './company-schema.js';
import { bestMatches } from './company.js';

/** Finds the company that an identifier names. */
export class CompanyService {
  readonly #companies: CompanyRepository | undefined;

  /** @param companies undefined without a finance database. */
  constructor(companies: CompanyRepository | undefined) {
    this.#companies = companies;
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
