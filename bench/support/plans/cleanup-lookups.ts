import type { Database } from '../../../packages/core/src/storage/database.js';
import {
  BEFORE_FIRST_ROW,
  RetentionRepository,
} from '../../../packages/operations/src/maintenance/retention-repository.js';
import { rolledBack, type Lookup } from './lookup.js';

/** The default size of a batch. */
const SIZE = 5000;

/** Lists the statements that a clean-up runs on each table, for one batch. */
export function cleanupLookups(database: Database): Lookup[] {
  const repository = new RetentionRepository(database);
  return repository.all.map((rows) => ({
    name: `clean-up of ${rows.name}`,
    run: async () => {
      const [limit = ''] = await repository.limitsOf([0]);
      const range = { after: BEFORE_FIRST_ROW, limit, size: SIZE };
      await rows.measure(range);
      await rolledBack(database, (trx) => rows.remove(range, trx));
    },
    readsManyIfSmall: 'a batch has about as many rows as the table',
  }));
}
