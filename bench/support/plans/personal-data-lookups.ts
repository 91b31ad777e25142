import { AuditErasureRepository } from '../../../packages/core/src/audit/audit-erasure-repository.js';
import { AuditRepository } from '../../../packages/core/src/audit/audit-repository.js';
import { AuthEvents } from '../../../packages/core/src/audit/auth-events.js';
import { PersonalDataQueries } from '../../../packages/core/src/erasure/personal-data-queries.js';
import { InvitationRepository } from '../../../packages/core/src/invitations/invitation-repository.js';
import { newId } from '../../../packages/core/src/kernel/id.js';
import { silentLogger } from '../../../packages/core/src/kernel/logger.js';
import { OutboxRepository } from '../../../packages/core/src/mail/outbox-repository.js';
import { SessionRepository } from '../../../packages/core/src/sessions/session-repository.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import { UserRepository } from '../../../packages/core/src/users/user-repository.js';
import { rolledBack, type Lookup } from './lookup.js';

const ROWS = 1_000;
const EMAIL = 'unknown-address@example.com';

export function personalDataLookups(database: Database): Lookup[] {
  return [...exports(database), ...erasures(database)];
}

function exports(database: Database): Lookup[] {
  const queries = new PersonalDataQueries(database);
  const audit = new AuditRepository(database, new AuthEvents(silentLogger));
  return [
    { name: 'memberships of an export', run: ({ userId }) => queries.memberships(userId, ROWS) },
    { name: 'trusted devices of an export', run: ({ userId }) => queries.trustedDevices(userId, ROWS) },
    { name: 'picture of an export', run: ({ userId }) => queries.profilePicture(userId) },
    { name: 'lists of an export', run: ({ userId }) => queries.lists(userId, ROWS) },
    {
      name: 'wait before an export',
      run: ({ userId }) =>
        rolledBack(database, (trx) =>
          audit.secondsToWait({ userId, event: 'personal_data_exported', perHour: 10 }, trx),
        ),
    },
  ];
}

function erasures(database: Database): Lookup[] {
  const users = new UserRepository(database);
  const invitations = new InvitationRepository(database);
  const mails = new OutboxRepository(database);
  const audit = new AuditRepository(database, new AuthEvents(silentLogger));
  return [
    {
      name: 'erasure of a user',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          await users.fenceErasure(userId, trx);
          await users.withoutThoseOfOthers([EMAIL], userId, trx);
          await users.erase(userId, trx);
        }),
    },
    {
      name: 'erasure of invitations and mails',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          await invitations.addressesOfAccepter(userId, trx);
          await invitations.removeTo(userId, [EMAIL], trx);
          await invitations.forgetInviter(userId, trx);
          await mails.addressesOf(userId, trx);
          const named = { ids: [newId()], emails: [EMAIL] };
          await mails.removeAllOf(
            { userId, addresses: [EMAIL], emailChanges: named, invitations: named },
            trx,
          );
        }),
    },
    {
      name: 'erasure of the traces of a user',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          await new AuditErasureRepository(database).forget({ userId, terms: [EMAIL] }, trx);
          await new SessionRepository(database, audit).forgetClients(userId, trx);
        }),
    },
  ];
}
