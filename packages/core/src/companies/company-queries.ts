import type { Knex } from 'knex';
import { idRangeOf } from '../kernel/id-prefix.js';
import type { Database } from '../storage/database.js';
import { escapeLike } from '../storage/escape-like.js';
import { MOST_COUNTED, type CheckedCompanyFilter, type ListedCompany } from './company-schema.js';
import { searchNameOf } from './known-company-repository.js';

const POSITION = '(k.is_unnamed, k.search_name, k.company_id)';
const HAS_PEOPLE = `(EXISTS (SELECT FROM company_memberships m WHERE m.company_id = k.company_id)
    OR EXISTS (SELECT FROM invitations i WHERE i.company_id = k.company_id))`;

const counted = (rows: string): string =>
  `(SELECT count(*) FROM (SELECT FROM ${rows} LIMIT ${MOST_COUNTED}) AS counted)::int`;

/** Each is one step in an index by company. */
const LAST_ACTIVITY = `greatest(
    (SELECT max(occurred_at) FROM auth_audit_logs a WHERE a.company_id = page.company_id),
    (SELECT max(created_at) FROM company_memberships m WHERE m.company_id = page.company_id),
    (SELECT max(created_at) FROM invitations i WHERE i.company_id = page.company_id))`;

/** Reads the companies that have members or invitations. */
export class CompanyQueries {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns companies by name, then those without one by id. @param after the id of the last company before them. */
  async list(
    filter: CheckedCompanyFilter,
    after: string | undefined,
    limit: number,
  ): Promise<ListedCompany[]> {
    return this.#database.run((knex) =>
      knex
        .from(pageOf(knex, filter, after).limit(limit).as('page'))
        .orderBy(['page.is_unnamed', 'page.search_name', 'page.company_id'])
        .select<ListedCompany[]>(
          'page.company_id as id',
          'page.name',
          knex.raw(
            `${counted('company_memberships m WHERE m.company_id = page.company_id AND m.is_active')} AS "activeMembers"`,
          ),
          knex.raw(
            `${counted(
              `invitations i WHERE i.company_id = page.company_id AND i.status = 'PENDING' AND i.expires_at > now()`,
            )} AS "openInvitations"`,
          ),
          knex.raw(`${LAST_ACTIVITY} AS "lastActivityAt"`),
        ),
    );
  }
}

function pageOf(
  knex: Knex,
  { search, ids }: CheckedCompanyFilter,
  after: string | undefined,
): Knex.QueryBuilder {
  const query = knex({ k: 'known_companies' })
    .whereRaw(HAS_PEOPLE)
    .orderBy(['k.is_unnamed', 'k.search_name', 'k.company_id'])
    .select('k.company_id', 'k.name', 'k.is_unnamed', 'k.search_name');
  if (ids !== undefined) void query.whereIn('k.company_id', ids.split(','));
  if (search !== undefined) void query.where((either) => applySearch(either, search));
  if (after !== undefined) {
    void query.whereRaw(
      `${POSITION} > (SELECT k.is_unnamed, k.search_name, k.company_id FROM known_companies k WHERE k.company_id = ?)`,
      [after],
    );
  }
  return query;
}

function applySearch(query: Knex.QueryBuilder, search: string): void {
  const name = searchNameOf(search);
  const range = idRangeOf(search.toLowerCase());
  void query.whereLike('k.search_name', `${escapeLike(name)}%`);
  if (range) void query.orWhereBetween('k.company_id', [range.first, range.last]);
}
