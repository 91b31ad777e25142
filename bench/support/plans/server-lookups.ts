import { systemClock } from '../../../packages/core/src/kernel/clock.js';
import { newId } from '../../../packages/core/src/kernel/id.js';
import { DatabaseClock } from '../../../packages/core/src/storage/database-clock.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import { StoreLeaseRepository } from '../../../packages/core/src/storage/store-lease-repository.js';
import { ContentFactsRepository } from '../../../packages/operations/src/doctor/probes/content-facts-repository.js';
import { DatabaseFactsRepository } from '../../../packages/operations/src/doctor/probes/database-facts-repository.js';
import { FinanceAccessRepository } from '../../../packages/operations/src/doctor/probes/finance-access-repository.js';
import type { Lookup } from './lookup.js';

/** Lists what the process itself and `latchkey doctor` read. */
export function serverLookups(database: Database): Lookup[] {
  const content = new ContentFactsRepository(database);
  const facts = new DatabaseFactsRepository(database);
  const leases = new StoreLeaseRepository(database);
  return [
    { name: 'clock of the database', run: () => new DatabaseClock(database, systemClock).now() },
    {
      name: 'lease of the in-process store',
      run: async () => {
        const holder = newId();
        await leases.take(holder, 'bench');
        await leases.holder();
        await leases.give(holder);
      },
    },
    { name: 'doctor: superadmins', run: () => content.superadmins() },
    { name: 'doctor: outbox', run: () => content.outbox() },
    {
      name: 'doctor: ended sessions',
      run: () => content.endedSessions(10_000),
      readsMany: 'the first 10,000 rows of a table',
    },
    { name: 'doctor: oldest revocation', run: () => content.oldestRevocation() },
    { name: 'doctor: overdue deletions', run: () => content.deletions() },
    {
      name: 'doctor: keys of second factors',
      run: () => content.factorKeys(),
      readsMany: 'counts the authenticator apps by key, for an operator',
    },
    {
      name: 'doctor: API keys',
      run: () => content.apiKeys(),
      readsMany: 'counts the active keys, for an operator',
    },
    {
      name: 'doctor: webhooks',
      run: () => content.webhooks(),
      readsMany: 'counts the webhooks, for an operator',
    },
    { name: 'doctor: tables', run: () => content.tables() },
    { name: 'doctor: settings of the server', run: () => facts.settings() },
    { name: 'doctor: state of the server', run: () => facts.state([]) },
    { name: 'doctor: rights in a database', run: () => new FinanceAccessRepository(database).rights() },
  ];
}
