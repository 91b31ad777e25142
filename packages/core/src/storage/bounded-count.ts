import type { Knex } from 'knex';
import { MAX_EXACT_TOTAL } from '../kernel/page.js';
import { toCount } from './postgres-types.js';

/**
 * Returns a SELECT of the column `total`: the number of rows, counted up to one more than totals are exact for.
 * @param rows the statement from its FROM on.
 * @param limit where to stop counting instead, as a parameter such as `$2`.
 */
export const boundedCount = (rows: string, limit = String(MAX_EXACT_TOTAL + 1)): string =>
  `SELECT count(*) AS total FROM (SELECT 1 ${rows} LIMIT ${limit}) AS counted`;

/** Counts the rows of a query like `boundedCount`. @param bound the number up to which the total is exact. */
export async function countBounded(
  knex: Knex,
  matching: Knex.QueryBuilder,
  bound: number = MAX_EXACT_TOTAL,
): Promise<number> {
  const some = matching
    .clone()
    .select(knex.raw('1'))
    .limit(bound + 1);
  const [row] = await knex.from(some.as('counted')).count<{ total: string }[]>({ total: '*' });
  return toCount(row?.total);
}
