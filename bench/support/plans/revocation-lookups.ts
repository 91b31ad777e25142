import { RevocationRepository } from '../../../packages/core/src/revocations/revocation-repository.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import type { Lookup } from './lookup.js';

/** Lists what the revocation feed reads. */
export function revocationLookups(database: Database): Lookup[] {
  const revocations = new RevocationRepository(database);
  return [
    { name: 'position in the revocation feed', run: () => revocations.position() },
    {
      name: 'revocations since a moment ago',
      run: async () => revocations.readSince(await revocations.position()),
    },
    { name: 'revocations that matter', run: () => revocations.readAll() },
  ];
}
