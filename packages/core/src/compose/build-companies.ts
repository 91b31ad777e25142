import { CompanyRepository } from '../companies/company-repository.js';
import { CompanyService } from '../companies/company-service.js';
import { FinanceRepository } from '../memberships/finance-repository.js';
import { FinanceWorkflow } from '../memberships/finance-workflow.js';
import { MembershipDirectory } from '../memberships/membership-directory.js';
import { MembershipListRepository } from '../memberships/membership-list-repository.js';
import { MembershipService } from '../memberships/membership-service.js';
import { MembershipWriteRepository } from '../memberships/membership-write-repository.js';
import type { OpenInvitations } from '../memberships/open-invitations.js';
import type { Settings } from '../settings/settings.js';
import type { Database } from '../storage/database.js';
import type { Auth } from './auth.js';
import type { Records } from './build-records.js';

type Companies = Pick<Auth, 'members' | 'memberships' | 'financeWorkflow' | 'companies'>;

/** The services about companies and the people in them. */
export function buildCompanies(
  settings: Settings,
  records: Records,
  { finance, openInvitations }: { finance: Database | undefined; openInvitations: OpenInvitations },
): Companies {
  const membershipWrites = new MembershipWriteRepository();
  const companies = finance && new CompanyRepository(finance, settings.finance.companyQuery);
  return {
    members: new MembershipDirectory(new MembershipListRepository(records.database)),
    memberships: new MembershipService({ ...records, membershipWrites, openInvitations }),
    financeWorkflow: new FinanceWorkflow({
      ...records,
      membershipWrites,
      finance: new FinanceRepository(),
    }),
    companies: new CompanyService(companies),
  };
}
