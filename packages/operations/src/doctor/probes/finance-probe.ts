import { CompanyRepository } from '@latchkey/core/internal/companies/company-repository';
import type { Database } from '@latchkey/core/internal/storage/database';
import { failureReason } from '../failure-reason.js';
import { FinanceAccessRepository, type FinanceRights } from './finance-access-repository.js';

export interface FinanceFacts {
  rights: FinanceRights;
  /** The columns that the query returns, or the reason that it fails. */
  query: { columns: string[] } | { failure: string };
}

export async function probeFinance(
  finance: Database,
  companyQuery: string | undefined,
): Promise<FinanceFacts> {
  const rights = await new FinanceAccessRepository(finance).rights();
  return { rights, query: await tryQuery(new CompanyRepository(finance, companyQuery)) };
}

async function tryQuery(companies: CompanyRepository): Promise<FinanceFacts['query']> {
  try {
    return { columns: await companies.columns() };
  } catch (error) {
    return { failure: failureReason(error) };
  }
}
