import type { Knex } from 'knex';
import { idRangeOf } from '../kernel/id-prefix.js';
import { mapPage, placedPageOf, showsTotal, type Page, type PageRequest } from '../kernel/page.js';
import { countBounded } from '../storage/bounded-count.js';
import { statement, type Database } from '../storage/database.js';
import { escapeLike } from '../storage/escape-like.js';
import { emailPrefix } from './email.js';
import { cursorIn, orderedPage, type PlacedUser } from './user-order-queries.js';
import { toUser, userColumns, type UserRow } from './user-row.js';
import type { CheckedUserFilter } from './user-schema.js';
import { userSearch } from './user-search.js';
import type { User } from './user.js';

const COUNT_PENDING = statement(
  'user_count_pending',
  `SELECT count(*) AS total FROM users
   WHERE approval_status = 'PENDING' AND (NOT $1::boolean OR email_verified_at IS NOT NULL)`,
);

/** Reads users for lists, searches and counts, without the tombstones of erased users and deleted registrations. */
export class UserQueries {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns a page of users, newest first unless they are sorted otherwise. */
  async list({ sort = '-createdAt', ...filter }: CheckedUserFilter, page: PageRequest): Promise<Page<User>> {
    return this.#database.run(async (knex) => {
      const matching = applyFilter(knex<UserRow>('users'), filter);
      const found = matching.clone().select<(UserRow & PlacedUser)[]>(userColumns());
      const reading = orderedPage(knex, found, page, sort);
      const toPage = (rows: (UserRow & PlacedUser)[], total: number) =>
        mapPage(
          placedPageOf(rows, total, page, (row) => cursorIn(sort, row)),
          toUser,
        );
      const counting = () => countBounded(knex, matching);
      if (filter.search === undefined) {
        const [rows, counted] = await Promise.all([reading, counting()]);
        return toPage(rows, counted);
      }
      // A search that few users match may read all of them, so it is done once if the page shows the total.
      const rows = await reading;
      const counted = showsTotal(rows, page) ? rows.length : await counting();
      return toPage(rows, counted);
    });
  }

  /** Returns the users whose id or email starts with the prefix, at most `limit`, by email. */
  async findByPrefix(prefix: string, limit: number): Promise<User[]> {
    const ids = idRangeOf(prefix);
    const rows = await this.#database.run((knex) =>
      knex<UserRow>('users')
        .whereNull('erased_at')
        .where((either) => {
          void either.whereLike('email', `${escapeLike(emailPrefix(prefix))}%`);
          if (ids) void either.orWhereBetween('id', [ids.first, ids.last]);
        })
        // The order of the index, which returns the first few without reading all that match.
        .orderByRaw('email USING ~<~')
        .limit(limit)
        .select<UserRow[]>(userColumns()),
    );
    return rows.map(toUser);
  }

  /** Counts the users who wait for approval, all or only those with a proved mailbox. */
  async countPending(which: { onlyProved: boolean }): Promise<number> {
    const [row] = await this.#database.query<{ total: string }>(COUNT_PENDING, [which.onlyProved]);
    return Number(row?.total ?? 0);
  }
}

function applyFilter(query: Knex.QueryBuilder<UserRow>, filter: Omit<CheckedUserFilter, 'sort'>) {
  void query.whereNull('erased_at');
  if (filter.approvalStatus) void query.where('approval_status', filter.approvalStatus);
  if (filter.globalRole) void query.where('global_role', filter.globalRole);
  if (filter.isActive !== undefined) void query.where('is_active', filter.isActive);
  if (filter.search !== undefined) applyUserSearch(query, filter.search);
  return query;
}

/** Limits a query of users to those that a search matches. */
export function applyUserSearch(query: Knex.QueryBuilder, search: string): void {
  const { email, name, names } = userSearch(search);
  void query.where((either) => {
    void either.whereLike('email', email);
    if (name !== null) void either.orWhere('full_name', '~*', name);
    for (const pattern of names) void either.orWhereILike('full_name', pattern);
  });
}
