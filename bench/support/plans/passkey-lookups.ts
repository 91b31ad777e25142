import { PasskeyQueries } from '../../../packages/core/src/passkeys/passkey-queries.js';
import { PasskeyRepository } from '../../../packages/core/src/passkeys/passkey-repository.js';
import type { NewCredential } from '../../../packages/core/src/passkeys/passkey.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import { PAGE, rolledBack, type Lookup } from './lookup.js';

const CREDENTIAL: NewCredential = {
  credentialId: 'new',
  publicKey: new Uint8Array(77),
  counter: 0,
  deviceType: 'multiDevice',
  backedUp: true,
  aaguid: '00000000-0000-0000-0000-000000000000',
  transports: ['internal'],
};

export function passkeyLookups(database: Database): Lookup[] {
  const passkeys = new PasskeyRepository(database);
  const queries = new PasskeyQueries(database);
  const use = { counter: 1, deviceType: 'multiDevice', backedUp: true } as const;
  return [
    { name: 'passkey of a credential', run: ({ credentialId }) => passkeys.findCredential(credentialId) },
    { name: 'credentials of a user', run: ({ userId }) => passkeys.credentialsOf(userId) },
    { name: 'passkeys of a user', run: ({ userId }) => passkeys.list(userId, PAGE) },
    { name: 'number of passkeys of a user', run: ({ userId }) => passkeys.count(userId) },
    {
      name: 'passkeys by the prefix of an id',
      run: ({ passkeyId }) => queries.findByPrefix(passkeyId.slice(0, 13), 11),
    },
    {
      name: 'changes of passkeys',
      run: ({ userId, passkeyId }) =>
        rolledBack(database, async (trx) => {
          await passkeys.insert(userId, 'Phone', CREDENTIAL, trx);
          await queries.findById(passkeyId, trx);
          await passkeys.recordUse(passkeyId, use, trx);
          await passkeys.rename(passkeyId, userId, 'Key', trx);
          await passkeys.remove(passkeyId, userId, trx);
          await passkeys.removeAll(userId, trx);
        }),
    },
  ];
}
