import { newId } from '../../../packages/core/src/kernel/id.js';
import { MembershipWriteRepository } from '../../../packages/core/src/memberships/membership-write-repository.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import { DeletionLinkRepository } from '../../../packages/core/src/users/deletion-link-repository.js';
import { UserRepository } from '../../../packages/core/src/users/user-repository.js';
import { rolledBack, type Lookup } from './lookup.js';

const digest = Buffer.alloc(32, 6);
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Deletions of accounts by their users. */
export function accountDeletionLookups(database: Database): Lookup[] {
  const links = new DeletionLinkRepository(database);
  const users = new UserRepository(database);
  const memberships = new MembershipWriteRepository();
  return [
    { name: 'user of a link that keeps an account', run: () => links.ownerOf(digest) },
    { name: 'accounts whose deletion is due', run: () => users.findDueDeletions(FIRST_ID, 100) },
    { name: 'accounts that wait for their erasure', run: () => users.countDeletions() },
    {
      name: 'request and undo of a deletion',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          await memberships.companiesOfSuperadmin(userId, trx);
          await users.requestDeletion(userId, 7, trx);
          await links.issue({ id: newId(), userId, tokenDigest: digest }, trx);
          await users.lockDueDeletion(userId, trx);
          await links.spend(digest, trx);
          await users.undoDeletion(userId, trx);
          await links.removeAll(userId, trx);
        }),
    },
  ];
}
