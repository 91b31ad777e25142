import { ModuleRuleRepository } from '../../../packages/core/src/access/module-rule-repository.js';
import { HandoffRepository } from '../../../packages/core/src/handoff/handoff-repository.js';
import { FinanceRepository } from '../../../packages/core/src/memberships/finance-repository.js';
import { MembershipQueries } from '../../../packages/core/src/memberships/membership-queries.js';
import { MembershipRepository } from '../../../packages/core/src/memberships/membership-repository.js';
import { MembershipWriteRepository } from '../../../packages/core/src/memberships/membership-write-repository.js';
import type { Database, Transaction } from '../../../packages/core/src/storage/database.js';
import type { Population } from '../population/population.js';
import { beyondOneUser, PAGE, rolledBack, TOTALS, type Lookup } from './lookup.js';

export function memberLookups(database: Database): Lookup[] {
  const memberships = new MembershipRepository(database);
  const rules = new ModuleRuleRepository(database);
  const handoffs = new HandoffRepository();
  return [
    { name: 'memberships of a user', run: ({ userId }) => memberships.ofUser(userId) },
    {
      name: 'module rules of members',
      run: ({ membershipIds }) => rules.ofMemberships(membershipIds),
      beyondOneUser: 'a page of members',
    },
    { name: 'module rules in full', run: ({ membershipIds: [id = ''] }) => rules.inFull(id) },
    {
      name: 'membership for a hand-off',
      run: ({ userId, companyId }) =>
        rolledBack(database, (trx) => handoffs.lockActiveMembership(userId, companyId, trx)),
    },
    ...beyondOneUser('a list', lists(database)),
    {
      name: 'changes of memberships',
      run: (population) => rolledBack(database, (trx) => changeMemberships(population, trx)),
    },
    {
      name: 'changes of finance roles',
      run: (population) => rolledBack(database, (trx) => changeFinanceRoles(population, trx)),
    },
  ];
}

function lists(database: Database): Lookup[] {
  const members = new MembershipQueries(database);
  return [
    { name: 'company users', run: ({ companyId }) => members.companyUsers(companyId, PAGE) },
    {
      name: 'members that an audit log names',
      run: ({ companyId, userId }) => members.knownMembers(companyId, [userId]),
    },
    {
      name: 'company users, large company',
      run: ({ largeCompanyId }) => members.companyUsers(largeCompanyId, PAGE),
      readsMany: TOTALS,
    },
    {
      name: 'every active member of a company, in pages',
      run: async ({ companyId }) => {
        const { slices } = await members.companyUsersInSlices(companyId, { limit: Infinity, offset: 0 }, 20);
        await drained(slices);
      },
    },
    { name: 'company memberships', run: ({ companyId }) => members.companyMembers(companyId, PAGE) },
    {
      name: 'company memberships, large company',
      run: ({ largeCompanyId }) => members.companyMembers(largeCompanyId, PAGE),
      readsMany: TOTALS,
    },
    {
      name: 'business-unit users',
      run: ({ companyId, businessUnitId }) => members.businessUnitUsers({ companyId, businessUnitId }, PAGE),
    },
    {
      name: 'business-unit users, large unit',
      run: ({ largeCompanyId, largeUnitId }) =>
        members.businessUnitUsers({ companyId: largeCompanyId, businessUnitId: largeUnitId }, PAGE),
      readsMany: TOTALS,
    },
  ];
}

async function changeMemberships(population: Population, trx: Transaction): Promise<void> {
  const writes = new MembershipWriteRepository();
  const { userId, companyId, businessUnitId } = population;
  const key = { userId, companyId, businessUnitId };
  await writes.lockUnit(businessUnitId, trx);
  await writes.ownerOfUnit(businessUnitId, trx);
  await writes.hasBusinessUnit(key, trx);
  const current = (await writes.lock(companyId, [userId], trx)).get(userId);
  await writes.readAuthority(current?.id ?? '', trx);
  const grants = { moduleGrants: ['billing'], permissionGrants: ['events.read'], delegation: {} };
  const moduleRules = [{ moduleKey: 'billing', effect: 'GRANT' as const, source: 'MEMBER' as const }];
  await writes.writeMembership(current, { userId, companyId, ...grants, moduleRules }, trx);
  await writes.writeMembership(current, { userId, companyId, ...grants, isActive: false }, trx);
  await writes.writeBusinessUnit(key, true, trx);
}

async function changeFinanceRoles(population: Population, trx: Transaction): Promise<void> {
  const finance = new FinanceRepository();
  const { userId, largeCompanyId, companyId, businessUnitId } = population;
  const key = { userId, companyId, businessUnitId };
  const change = { financeRole: 'APPROVER' as const, isPrimary: true };
  await finance.lockScope({ companyId }, trx);
  await finance.lockCompany(largeCompanyId, [userId], trx);
  await finance.lockCompany(companyId, [userId], trx);
  await finance.lockBusinessUnit(key, trx);
  await finance.updateCompany(key, change, trx);
  await finance.updateBusinessUnit(key, change, trx);
}

async function drained(slices: AsyncIterable<unknown>): Promise<void> {
  const reading = slices[Symbol.asyncIterator]();
  while ((await reading.next()).done !== true);
}
