import { ApiKeyRepository } from '../../../packages/core/src/api-key-records/api-key-repository.js';
import { ApiKeyQueries } from '../../../packages/core/src/api-keys/api-key-queries.js';
import { ApiKeyStateQueries } from '../../../packages/core/src/api-keys/api-key-state-queries.js';
import { newId } from '../../../packages/core/src/kernel/id.js';
import { digestOf } from '../../../packages/core/src/kernel/secret.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import { beyondOneUser, PAGE, rolledBack, type Lookup } from './lookup.js';

const text = (key: string) => ({ digest: digestOf(key), hint: 'abcd' });
const facts = { createdAcr: null, name: 'Key', modules: [], permissions: [], lifetime: 86_400 };

export function apiKeyLookups(database: Database): Lookup[] {
  const keys = new ApiKeyRepository(database);
  const states = new ApiKeyStateQueries(database);
  const queries = new ApiKeyQueries(database);
  const digest = digestOf('lkk_unknown');
  return [
    { name: 'state of an API key', run: () => states.check([digest.toString('hex')]) },
    { name: 'state of an API key for access', run: () => states.checkForAccess([digest.toString('hex')]) },
    { name: 'API keys of a user', run: ({ userId }) => keys.list({ userId }, PAGE) },
    { name: 'API keys of a company', run: ({ companyId }) => keys.list({ companyId }, PAGE) },
    { name: 'API key by its digest', run: () => queries.findByDigest(digest) },
    {
      name: 'changes of API keys',
      run: ({ userId, companyId }) =>
        rolledBack(database, async (trx) => {
          for (const owner of [{ userId }, { companyId }]) {
            const isUser = 'userId' in owner;
            await keys.limitOf(owner, userId, trx);
            const { id } = await keys.insert(
              {
                ...facts,
                ...text(newId()),
                kind: isUser ? 'PERSONAL' : 'COMPANY',
                userId: isUser ? userId : null,
                companyId,
                createdByUserId: userId,
              },
              trx,
            );
            await keys.rename(id, owner, 'Other', trx);
            await keys.rotate(id, owner, { ...text(newId()), overlap: 60, acr: 'aal1' }, trx);
            await keys.revoke(id, owner, 'revoked', trx);
          }
          await keys.revokeAllOf({ userId }, 'revoke_all', trx);
          await keys.removeAll(userId, trx);
        }),
    },
    { name: 'uses of API keys', run: () => keys.touch([{ id: newId(), ipAddress: null }]) },
    ...beyondOneUser('the keys of all owners', [
      {
        name: 'active API keys',
        run: () => queries.list({}, PAGE),
        readsMany: 'lists all active keys, for an operator',
      },
      { name: 'API keys that expire soon', run: () => keys.noticeExpiring(100, false) },
    ]),
  ];
}
