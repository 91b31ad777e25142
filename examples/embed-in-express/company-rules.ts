import { AuthError, type CreateAuthOptions } from '@latchkey/core';
import type { CompanyRepository } from './companies/company-repository.js';
import { modulesOf } from './companies/company.js';

/** What the app knows of companies and Latchkey asks for. */
export function companyRules(companies: Pick<CompanyRepository, 'find'>): CreateAuthOptions {
  return {
    /** What a company has bought caps what its members can have been granted. */
    entitlements: async (companyId) => {
      const company = await companies.find(companyId);
      return company && { modules: modulesOf(company.plan), accessPolicyMode: 'ENFORCED' };
    },
    before: {
      /** Only colleagues are invited. */
      invitation: async ({ companyId, email }) => {
        const company = await companies.find(companyId);
        if (company && email.endsWith(`@${company.mailDomain}`)) return;
        throw AuthError.validation(`email: must be an address at ${company?.mailDomain ?? 'your company'}`);
      },
    },
  };
}
