import { ModuleRuleRepository } from '../../packages/core/src/access/module-rule-repository.js';
import { AuditListRepository } from '../../packages/core/src/audit/audit-list-repository.js';
import { InvitationQueries } from '../../packages/core/src/invitations/invitation-queries.js';
import { MembershipQueries } from '../../packages/core/src/memberships/membership-queries.js';
import type { Database } from '../../packages/core/src/storage/database.js';
import { UserRepository } from '../../packages/core/src/users/user-repository.js';
import type { Population } from './population.js';

const PAGE = { limit: 50, offset: 0 };
const GUEST = 'guest4711@example.com';

/** Lists the queries that only the command line runs. */
export function operatorLookups(
  database: Database,
): { name: string; run: (population: Population) => Promise<unknown> }[] {
  const invitations = new InvitationQueries(database);
  const members = new MembershipQueries(database);
  const rules = new ModuleRuleRepository(database);
  const audit = new AuditListRepository(database);
  const users = new UserRepository(database);
  return [
    { name: 'invitations of an email', run: () => invitations.list({ email: GUEST }, PAGE) },
    {
      name: 'pending invitations of a company',
      run: ({ companyId }) => invitations.list({ companyId, status: 'PENDING' }, PAGE),
    },
    { name: 'invitations by the prefix of an id', run: () => invitations.findByPrefix('01981f3e', 11) },
    {
      name: 'every active member of a company, in pages',
      run: ({ companyId }) => lastOf(members.eachCompanyUser(companyId, 20)),
    },
    { name: 'module rules in full', run: ({ membershipIds: [id = ''] }) => rules.inFull(id) },
    {
      name: 'audit log from an instant on',
      run: ({ sessionId }) => audit.since({}, aMinuteAgo(), { except: [sessionId], limit: 500 }),
    },
    {
      name: 'audit log of a user from an instant on',
      run: ({ userId }) => audit.since({ subjectUserId: userId }, aMinuteAgo(), { except: [], limit: 500 }),
    },
    { name: 'ids of the audit log from an instant on', run: () => audit.idsSince({}, aMinuteAgo()) },
    { name: 'emails of users', run: ({ userId }) => users.emailsOf([userId]) },
  ];
}

const aMinuteAgo = (): Date => new Date(Date.now() - 60_000);

async function lastOf<T>(pages: AsyncIterable<T>): Promise<T | undefined> {
  let last: T | undefined;
  for await (const page of pages) last = page;
  return last;
}
