import {
  BEGINNING,
  RetentionRepository,
  type RetentionRows,
} from '../../packages/core/src/maintenance/retention-repository.js';
import type { Database } from '../../packages/core/src/storage/database.js';

/** The usual size of a batch. */
const SIZE = 5000;

class Undone extends Error {}

/** What a clean-up asks of each table, for a batch of everything that has ended. Nothing is gone in the end. */
export function cleanupLookups(database: Database): { name: string; run: () => Promise<unknown> }[] {
  const repository = new RetentionRepository(database);
  return repository.all.map((rows) => ({
    name: `clean-up of ${rows.name}`,
    run: async () => removeAndUndo(database, rows, (await repository.limitsOf([0]))[0] ?? ''),
  }));
}

async function removeAndUndo(database: Database, rows: RetentionRows, limit: string): Promise<void> {
  const { end } = await rows.measure({ after: BEGINNING, limit, size: SIZE });
  if (!end) throw new Error(`There are fewer than ${SIZE} ${rows.name}.`);
  const undone = database.transaction(async (trx) => {
    await rows.remove({ after: end, limit, size: SIZE }, trx);
    throw new Undone();
  });
  await undone.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
}
