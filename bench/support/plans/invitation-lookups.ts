import { InvitationQueries } from '../../../packages/core/src/invitations/invitation-queries.js';
import { InvitationRepository } from '../../../packages/core/src/invitations/invitation-repository.js';
import { InviterRepository } from '../../../packages/core/src/invitations/inviter-repository.js';
import { MembershipWriteRepository } from '../../../packages/core/src/memberships/membership-write-repository.js';
import type { Database, Transaction } from '../../../packages/core/src/storage/database.js';
import { UserRepository } from '../../../packages/core/src/users/user-repository.js';
import type { Population } from '../population/population.js';
import { beyondOneUser, PAGE, rolledBack, TOTALS, type Lookup } from './lookup.js';

const NO_DELEGATION = {
  canManageUsers: false,
  canBuyAddons: false,
  grantableModules: [],
  grantablePermissions: [],
};

export function invitationLookups(database: Database): Lookup[] {
  return [...reads(database), ...beyondOneUser('a list', lists(database)), ...writes(database)];
}

function reads(database: Database): Lookup[] {
  const invitations = new InvitationRepository(database);
  const inviters = inviterRepository(database);
  return [
    { name: 'invitation by id', run: ({ invitationId }) => invitations.find(invitationId) },
    { name: 'invitation by token', run: ({ invitationToken }) => invitations.findByToken(invitationToken) },
    { name: 'name of an inviter', run: ({ invitationId }) => invitations.inviterName(invitationId) },
    {
      name: 'inviter and invited user, locked',
      run: ({ companyId, userId }) => rolledBack(database, (trx) => inviters.lock(companyId, [userId], trx)),
    },
    {
      name: 'memberships of an inviter',
      run: ({ inviterId }) => rolledBack(database, (trx) => inviters.everywhere(inviterId, trx)),
    },
  ];
}

function lists(database: Database): Lookup[] {
  const invitations = new InvitationRepository(database);
  const queries = new InvitationQueries(database);
  return [
    { name: 'invitations of a company', run: ({ companyId }) => invitations.list(companyId, PAGE) },
    {
      name: 'invitations of a company, past the end',
      run: ({ companyId }) => invitations.list(companyId, { limit: 50, offset: 1_000 }),
    },
    {
      name: 'invitations of a large company',
      run: ({ largeCompanyId }) => invitations.list(largeCompanyId, PAGE),
      readsMany: TOTALS,
    },
    { name: 'all invitations, first page', run: () => queries.list({}, PAGE), readsMany: TOTALS },
    { name: 'invitations of an email', run: () => queries.list({ email: 'guest4710@example.com' }, PAGE) },
    {
      name: 'pending invitations of all companies',
      run: () => queries.list({ status: 'PENDING' }, PAGE),
      readsMany: TOTALS,
    },
    {
      name: 'expired invitations of all companies',
      run: () => queries.list({ status: 'EXPIRED' }, PAGE),
      readsMany: TOTALS,
    },
    {
      name: 'accepted invitations of all companies',
      run: () => queries.list({ status: 'ACCEPTED' }, PAGE),
      readsMany: TOTALS,
    },
    {
      name: 'cancelled invitations of all companies',
      run: () => queries.list({ status: 'CANCELLED' }, PAGE),
    },
    {
      name: 'pending invitations of a company',
      run: ({ companyId }) => queries.list({ companyId, status: 'PENDING' }, PAGE),
    },
    {
      name: 'invitations by the prefix of an id',
      run: ({ invitationId }) => queries.findByPrefix(invitationId.slice(0, 13), 11),
    },
  ];
}

function writes(database: Database): Lookup[] {
  const invitations = new InvitationRepository(database);
  return [
    {
      name: 'new invitation',
      run: (population) => rolledBack(database, (trx) => invite(invitations, population, trx)),
    },
    {
      name: 'invitation that is sent again and accepted',
      run: (population) => rolledBack(database, (trx) => renewAndAccept(invitations, population, trx)),
    },
    {
      name: 'cancelled invitations',
      run: ({ invitationId, inviterId }) =>
        rolledBack(database, async (trx) => {
          await invitations.lockOpenOf(inviterId, trx);
          await invitations.cancel(invitationId, trx);
          await invitations.cancelAll([invitationId], trx);
        }),
    },
    {
      name: 'token of an invitation',
      run: ({ invitationId }) => invitations.setToken(invitationId, Buffer.alloc(32, 6)),
    },
  ];
}

async function invite(
  invitations: InvitationRepository,
  { companyId, inviterId }: Population,
  trx: Transaction,
): Promise<void> {
  await invitations.createWait(inviterId, 100, trx);
  const offer = { role: 'MEMBER', moduleGrants: [], permissionGrants: [], delegation: NO_DELEGATION };
  const email = 'invited@example.com';
  const empty = { metadata: undefined, locale: undefined };
  const invitation = { ...offer, companyId, email, invitedByUserId: inviterId, ...empty };
  await invitations.insert({ ...invitation, lifetime: 3600 }, trx);
}

async function renewAndAccept(
  invitations: InvitationRepository,
  { invitationId, invitationToken, userId }: Population,
  trx: Transaction,
): Promise<void> {
  await invitations.lockByToken(invitationToken, trx);
  const invitation = await invitations.lock(invitationId, trx);
  if (!invitation) throw new Error('the population has no such invitation');
  await invitations.resendWait(invitationId, 3, trx);
  await invitations.renew(invitation, 3600, trx);
  await invitations.accept(invitationId, userId, trx);
}

const inviterRepository = (database: Database): InviterRepository =>
  new InviterRepository({
    database,
    users: new UserRepository(database),
    membershipWrites: new MembershipWriteRepository(),
  });
