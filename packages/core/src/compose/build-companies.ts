import { CompanyRepository } from '../companies/company-repository.js';
import { CompanyService } from '../companies/company-service.js';
import { FinanceWorkflow } from '../memberships/finance-workflow.js';
import { MembershipDirectory } from '../memberships/membership-directory.js';
import { MembershipService } from '../memberships/membership-service.js';
import type { OpenInvitations } from '../memberships/open-invitations.js';
import type { Settings } from '../settings/settings.js';
import type { Database } from '../storage/database.js';
import type { Auth } from './auth.js';
import type { Repositories } from './repositories.js';

interface CompaniesDeps {
  readonly repositories: Repositories;
  /** The optional finance database, which names the companies. */
  readonly finance: Database | undefined;
  readonly openInvitations: OpenInvitations;
}

type Companies = Pick<Auth, 'members' | 'memberships' | 'financeWorkflow' | 'companies'>;

/** Builds the services for companies and their members. */
export const buildCompanies = (
  settings: Settings,
  { repositories, finance, openInvitations }: CompaniesDeps,
): Companies => ({
  members: new MembershipDirectory(repositories.membershipQueries),
  memberships: new MembershipService({ ...repositories, openInvitations }),
  financeWorkflow: new FinanceWorkflow(repositories),
  companies: new CompanyService(finance && new CompanyRepository(finance, settings.finance.companyQuery)),
});
