import { newId } from '../../../packages/core/src/kernel/id.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import { MailedSignInRepository } from '../../../packages/core/src/users/mailed-sign-in-repository.js';
import { rolledBack, type Lookup } from './lookup.js';

const digest = Buffer.alloc(32, 5);
const challenge = 'challenge';

/** Sign-ins by a mailed link or code. */
export function mailedSignInLookups(database: Database): Lookup[] {
  const mails = new MailedSignInRepository(database);
  return [
    { name: 'user of a mailed sign-in', run: () => mails.ownerOf(challenge) },
    { name: 'mailed sign-in by its link', run: () => mails.findByToken(challenge, digest) },
    {
      name: 'issue and use of a mailed sign-in',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          const mail = { id: newId(), userId, challenge, tokenDigest: digest, codeDigest: digest };
          await mails.issue({ ...mail, lifetime: 900, requestedAt: new Date() }, trx);
          await mails.tryCode({ challenge, userId, codeDigest: digest }, trx);
          await mails.spend(mail.id, trx);
          await mails.removeAll(userId, trx);
        }),
    },
  ];
}
