import { CompanyQueries } from '../../../packages/core/src/companies/company-queries.js';
import { KnownCompanyRepository } from '../../../packages/core/src/companies/known-company-repository.js';
import { MembershipQueries } from '../../../packages/core/src/memberships/membership-queries.js';
import { statement, type Database } from '../../../packages/core/src/storage/database.js';
import { beyondOneUser, PAGE, rolledBack, type Lookup } from './lookup.js';

const LIMIT = 51;
const ADD = statement(
  'known_company_add',
  'INSERT INTO known_companies (company_id) VALUES ($1) ON CONFLICT DO NOTHING',
);

export function companyLookups(database: Database): Lookup[] {
  const companies = new KnownCompanyRepository(database);
  const queries = new CompanyQueries(database);
  const members = new MembershipQueries(database);
  return [
    ...beyondOneUser('a list of companies', [
      {
        name: 'companies, first page',
        run: () => queries.list({}, undefined, LIMIT),
        readsMany: 'members and invitations of each company are counted up to 1,000',
      },
      {
        name: 'companies by the start of a name',
        run: () => queries.list({ search: 'no such company' }, undefined, LIMIT),
      },
    ]),
    ...beyondOneUser('the members of a company', [
      {
        name: 'members of a company by role, email and name',
        run: ({ companyId }) =>
          members.companyUsers(companyId, PAGE, { role: 'MEMBER', search: 'person 4711' }),
      },
      {
        name: 'members of a company by a name that most users have',
        run: ({ companyId }) => members.companyUsers(companyId, PAGE, { search: 'person' }),
        readsMany: 'the search stops at 2,000 users and then reads the members of the company in order',
      },
    ]),
    { name: 'the name of a company', run: ({ companyId }) => companies.entitledName(companyId) },
    // An erasure reads the invitations of a company for the latest name.
    ...beyondOneUser('a company', [
      {
        name: 'names of a company',
        run: ({ companyId, userId }) =>
          rolledBack(database, async (trx) => {
            // As the triggers do, which are off while a population grows.
            await database.query(ADD, [companyId], trx);
            await companies.learnFromInvitation(
              companyId,
              { name: 'Nordwind', invitedByUserId: userId },
              trx,
            );
            await companies.forgetNames({ userId, companyIds: [companyId] }, trx);
          }),
      },
    ]),
    {
      name: 'name of a company from its entitlements',
      run: ({ companyId }) => companies.learnFromEntitlements(companyId, 'Nordwind'),
    },
  ];
}
