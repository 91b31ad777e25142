import type { Knex } from 'knex';
import { lookahead, type PageRequest } from '../kernel/page.js';
import { positionOf } from '../kernel/row-position.js';

/**
 * Cuts a page out of a query, newest first, and selects the position of each row for the next one. By cursor it reads only the
 * rows of the page; an offset also reads what it skips.
 * @param table the name of the table in the query.
 * @throws AuthError `validation_error` for a cursor that is not ours.
 */
export function newestPage<Query extends Knex.QueryBuilder>(
  knex: Knex,
  query: Query,
  page: PageRequest,
  table: string,
): Query {
  void query
    .select(
      knex.raw('(extract(epoch FROM ??) * 1000000)::bigint::text AS microseconds', [`${table}.created_at`]),
    )
    .orderBy([
      { column: `${table}.created_at`, order: 'desc' },
      { column: `${table}.id`, order: 'desc' },
    ])
    .limit(lookahead(page))
    .offset(page.offset);
  if (page.cursor !== undefined) {
    const { microseconds, id } = positionOf(page.cursor);
    void query.whereRaw(`(??, ??) < (timestamptz 'epoch' + ?::bigint * interval '1 microsecond', ?::uuid)`, [
      `${table}.created_at`,
      `${table}.id`,
      microseconds,
      id,
    ]);
  }
  return query;
}
