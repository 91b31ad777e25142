import {
  BEFORE_FIRST_ROW,
  RetentionRepository,
  type RetentionRows,
} from '../../packages/core/src/maintenance/retention-repository.js';
import type { Database } from '../../packages/core/src/storage/database.js';

/** The default size of a batch. */
const SIZE = 5000;

class RolledBack extends Error {}

/** Lists the statements that a clean-up runs on each table, for one batch. They are rolled back, so no row is removed. */
export function cleanupLookups(database: Database): { name: string; run: () => Promise<unknown> }[] {
  const repository = new RetentionRepository(database);
  return repository.all.map((rows) => ({
    name: `clean-up of ${rows.name}`,
    run: async () => removeAndRollBack(database, rows, (await repository.limitsOf([0]))[0] ?? ''),
  }));
}

async function removeAndRollBack(database: Database, rows: RetentionRows, limit: string): Promise<void> {
  const { end } = await rows.measure({ after: BEFORE_FIRST_ROW, limit, size: SIZE });
  if (!end) throw new Error(`There are fewer than ${SIZE} ${rows.name}.`);
  const rolledBack = database.transaction(async (trx) => {
    await rows.remove({ after: end, limit, size: SIZE }, trx);
    throw new RolledBack();
  });
  await rolledBack.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
}
