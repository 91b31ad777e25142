import { AuthError, type CreateAuthOptions } from '@latchkey/core';
import type { CompanyRepository } from './companies/company-repository.js';
import { modulesOf } from './companies/company.js';

/** Latchkey's options that depend on the app's companies. */
export function companyRules(companies: Pick<CompanyRepository, 'find'>): CreateAuthOptions {
  return {
    /** The company's plan caps the grants of its members. */
    entitlements: async (companyId) => {
      const company = await companies.find(companyId);
      return company && { modules: modulesOf(company.plan), accessPolicyMode: 'ENFORCED' };
    },
    before: {
      /** Rejects invitations to addresses outside the company's domain. */
      invitation: async ({ companyId, email }) => {
        const company = await companies.find(companyId);
        if (company && email.endsWith(`@${company.mailDomain}`)) return;
        throw AuthError.validation(`email: must be an address at ${company?.mailDomain ?? 'your company'}`);
      },
    },
  };
}
