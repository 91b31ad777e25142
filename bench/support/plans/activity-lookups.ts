import { ActivityRepository } from '../../../packages/core/src/activity/activity-repository.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import type { Lookup } from './lookup.js';

const BATCH = 2_000;

export function activityLookups(database: Database): Lookup[] {
  const activity = new ActivityRepository(database);
  return [
    {
      name: 'count of a batch by day',
      run: () => activity.count(BATCH),
      readsMany: 'a batch is 2,000 entries',
    },
    { name: 'numbers of 14 days', run: () => activity.read(14) },
    {
      name: 'IP addresses with failed sign-ins',
      run: () => activity.failingAddresses(8),
      readsMany: 'the newest 10,000 failures of a day are grouped',
    },
  ];
}
