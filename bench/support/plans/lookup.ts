import type { Database, Transaction } from '../../../packages/core/src/storage/database.js';
import type { Population } from '../population/population.js';

/** A query or change, as the product runs it on a population. */
export interface Lookup {
  name: string;
  run: (population: Population) => Promise<unknown>;
  /** What it is about, if that is not one user: `a list`. Any other may read no more rows than one user has. */
  beyondOneUser?: string;
  /** The reason for which it may read a large table completely, or more rows than a page has. */
  readsMany?: string;
  /** The reason for which that is the better plan on a small population only. */
  readsManyIfSmall?: string;
}

/** The first page of a list. */
export const PAGE = { limit: 50, offset: 0 };

/** The reason for which lists read more rows than a page has. */
export const TOTALS = 'the total counts up to 10,000 rows';

/** Marks lookups that are not about one user. */
export const beyondOneUser = (about: string, lookups: readonly Lookup[]): Lookup[] =>
  lookups.map((lookup) => ({ ...lookup, beyondOneUser: about }));

class RolledBack extends Error {}

/** Runs the work in a transaction and rolls it back, so that no lookup changes what the next one finds. */
export async function rolledBack(
  database: Database,
  work: (trx: Transaction) => Promise<unknown>,
): Promise<void> {
  const run = database.transaction(async (trx) => {
    await work(trx);
    throw new RolledBack();
  });
  await run.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
}
