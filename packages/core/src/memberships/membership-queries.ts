import {
  lookahead,
  mapPage,
  MAX_EXACT_TOTAL,
  placedPageOf,
  totalOf,
  type Page,
  type PageRequest,
  type SlicedPage,
} from '../kernel/page.js';
import { cursorOf, positionOf, type RowPosition } from '../kernel/row-position.js';
import { boundedCount } from '../storage/bounded-count.js';
import { statement, type Database, type Statement } from '../storage/database.js';
import { toCount } from '../storage/postgres-types.js';
import { applyUserSearch } from '../users/user-queries.js';
import { isIndexedPart, userSearch } from '../users/user-search.js';
import type { BusinessUnitMember, CompanyMember, MemberWithUnits, UserSummary } from './member.js';
import type { CheckedMemberFilter } from './membership-input.js';
import { selectCompanyMemberships } from './membership-repository.js';
import {
  toBusinessUnitMembership,
  toCompanyMembership,
  type BusinessUnitMembershipRow,
  type CompanyMembershipRow,
} from './membership-row.js';

interface UserColumns {
  user_id: string;
  email: string;
  full_name: string | null;
  global_role: UserSummary['globalRole'];
  approval_status: UserSummary['approvalStatus'];
  user_is_active: boolean;
  profile_picture_url: string | null;
}

const OF_USER = {
  columns: `, u.email, u.full_name, u.global_role, u.approval_status, u.is_active AS user_is_active, u.profile_picture_url,
    (extract(epoch FROM m.created_at) * 1000000)::bigint::text AS microseconds`,
  joins: ' JOIN users u ON u.id = m.user_id',
};
const NEWEST_FIRST = 'ORDER BY m.created_at DESC, m.id DESC';
const ACTIVE_OF_COMPANY = 'FROM company_memberships m WHERE m.company_id = $1 AND m.is_active';
const ALL_OF_COMPANY = 'FROM company_memberships m WHERE m.company_id = $1';
const ACTIVE_OF_UNIT =
  'FROM business_unit_memberships m WHERE m.company_id = $1 AND m.business_unit_id = $2 AND m.is_active';

/** Position before every row: the year 5138. */
const FIRST_POSITION: RowPosition = {
  microseconds: '99999999999999999',
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/**
 * Returns a CTE of the page's rows, so that grants are read for these rows only: those after a position.
 * @param next the number of its first parameter: microseconds, id, limit, offset.
 */
const pageOfRows = (rows: string, next: number) =>
  `WITH page AS MATERIALIZED (
     SELECT m.* ${rows}
       AND (m.created_at, m.id)
         < (timestamptz 'epoch' + $${next}::bigint * interval '1 microsecond', $${next + 1}::uuid)
     ${NEWEST_FIRST} LIMIT $${next + 2} OFFSET $${next + 3})`;

type CompanyUserRow = CompanyMembershipRow & UserColumns & RowPosition;
type BusinessUnitKey = Pick<BusinessUnitMember['membership'], 'companyId' | 'businessUnitId'>;

/** The values of the first parameters of a list's statements. */
type Scope = readonly (string | null | readonly string[])[];

/** The statements of a list, and the conversion of its rows. */
interface MemberList<Row, Member> {
  rows: Statement;
  /** Counts up to its last parameter. */
  count: Statement;
  convert: (row: Row) => Member;
}

/** The number of users up to which the members among them are looked up one by one. */
const MOST_LOOKED_UP = 2_000;

const COMPANY_USERS: MemberList<CompanyUserRow, CompanyMember> = {
  rows: statement(
    'company_users',
    `${pageOfRows(ACTIVE_OF_COMPANY, 2)} ${selectCompanyMemberships('page', OF_USER)} ${NEWEST_FIRST}`,
  ),
  count: statement('company_users_count', boundedCount(ACTIVE_OF_COMPANY, '$2')),
  convert: toCompanyMember,
};

/** `$2` role, null for any; `$3` ids of users. */
const AMONG_USERS = `${ACTIVE_OF_COMPANY} AND ($2::text IS NULL OR m.role = $2) AND m.user_id = ANY ($3::uuid[])`;

const USERS_AMONG: MemberList<CompanyUserRow, CompanyMember> = {
  rows: statement(
    'company_users_among',
    `${pageOfRows(AMONG_USERS, 4)} ${selectCompanyMemberships('page', OF_USER)} ${NEWEST_FIRST}`,
  ),
  count: statement('company_users_among_count', boundedCount(AMONG_USERS, '$4')),
  convert: toCompanyMember,
};

/** `$2` role; `$3` pattern of an email, `$4` that of a name, `$5` others of a name. Null for any. */
const FOUND_OF_COMPANY = `${ACTIVE_OF_COMPANY} AND ($2::text IS NULL OR m.role = $2)
  AND ($3::text IS NULL OR EXISTS (SELECT FROM users u
    WHERE u.id = m.user_id AND (u.email LIKE $3 OR u.full_name ~* $4 OR u.full_name ILIKE ANY ($5::text[]))))`;

const FOUND_USERS: MemberList<CompanyUserRow, CompanyMember> = {
  rows: statement(
    'company_users_found',
    `${pageOfRows(FOUND_OF_COMPANY, 6)} ${selectCompanyMemberships('page', OF_USER)} ${NEWEST_FIRST}`,
  ),
  count: statement('company_users_found_count', boundedCount(FOUND_OF_COMPANY, '$6')),
  convert: toCompanyMember,
};

const COMPANY_MEMBERS: MemberList<
  CompanyUserRow & { business_units: BusinessUnitMembershipRow[] },
  MemberWithUnits
> = {
  rows: statement(
    'company_members',
    `${pageOfRows(ALL_OF_COMPANY, 2)} ${selectCompanyMemberships('page', {
      ...OF_USER,
      columns: `${OF_USER.columns},
        ARRAY(SELECT to_jsonb(b) FROM business_unit_memberships b
              WHERE b.user_id = m.user_id AND b.company_id = m.company_id
              ORDER BY b.created_at DESC, b.id DESC) AS business_units`,
    })} ${NEWEST_FIRST}`,
  ),
  count: statement('company_members_count', boundedCount(ALL_OF_COMPANY, '$2')),
  convert: (row) =>
    Object.assign(toCompanyMember(row), {
      businessUnits: row.business_units.map(toBusinessUnitMembership),
    }),
};

const UNIT_USERS: MemberList<BusinessUnitMembershipRow & UserColumns & RowPosition, BusinessUnitMember> = {
  rows: statement(
    'business_unit_users',
    `${pageOfRows(ACTIVE_OF_UNIT, 3)}
     SELECT m.*${OF_USER.columns} FROM page m${OF_USER.joins} ${NEWEST_FIRST}`,
  ),
  count: statement('business_unit_users_count', boundedCount(ACTIVE_OF_UNIT, '$3')),
  convert: (row) => ({ user: toSummary(row), membership: toBusinessUnitMembership(row) }),
};

const KNOWN_MEMBERS = statement(
  'company_known_members',
  `SELECT m.user_id AS "userId", coalesce(u.full_name, u.email) AS name, u.global_role <> 'NONE' AS "isStaff"
   FROM company_memberships m JOIN users u ON u.id = m.user_id
   WHERE m.company_id = $1 AND m.user_id = ANY ($2::uuid[])`,
);

/** A user who is or was a member of a company. */
interface KnownMember {
  userId: string;
  /** Full name, else email. */
  name: string;
  /** True for platform staff. */
  isStaff: boolean;
}

/**
 * Reads lists of members, newest first. A page is read in two statements whatever its size. Slices are read one by one as
 * they are consumed, each as it is then; no connection is held between two of them.
 */
export class MembershipQueries {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns active members of a company. */
  async companyUsers(
    companyId: string,
    page: PageRequest,
    filter: CheckedMemberFilter = {},
  ): Promise<Page<CompanyMember>> {
    const [list, scope] = await this.#companyScope(companyId, filter);
    return this.#page(list, scope, page);
  }

  async companyUsersInSlices(
    companyId: string,
    page: PageRequest,
    sliceSize: number,
    filter: CheckedMemberFilter = {},
  ): Promise<SlicedPage<CompanyMember>> {
    const [list, scope] = await this.#companyScope(companyId, filter);
    return this.#slicedPage(list, scope, page, sliceSize);
  }

  /** Returns all memberships of a company, active or not, with their business-unit memberships. */
  async companyMembers(companyId: string, page: PageRequest): Promise<Page<MemberWithUnits>> {
    return this.#page(COMPANY_MEMBERS, [companyId], page);
  }

  async companyMembersInSlices(
    companyId: string,
    page: PageRequest,
    sliceSize: number,
  ): Promise<SlicedPage<MemberWithUnits>> {
    return this.#slicedPage(COMPANY_MEMBERS, [companyId], page, sliceSize);
  }

  /** Returns those of the users who are or were members of a company. */
  async knownMembers(companyId: string, userIds: readonly string[]): Promise<KnownMember[]> {
    return this.#database.query<KnownMember>(KNOWN_MEMBERS, [companyId, userIds]);
  }

  /** Returns active members of a business unit. */
  async businessUnitUsers(unit: BusinessUnitKey, page: PageRequest): Promise<Page<BusinessUnitMember>> {
    return this.#page(UNIT_USERS, [unit.companyId, unit.businessUnitId], page);
  }

  async businessUnitUsersInSlices(
    unit: BusinessUnitKey,
    page: PageRequest,
    sliceSize: number,
  ): Promise<SlicedPage<BusinessUnitMember>> {
    return this.#slicedPage(UNIT_USERS, [unit.companyId, unit.businessUnitId], page, sliceSize);
  }

  /** Returns the statements of a list of active members, and the values of their first parameters. */
  async #companyScope(
    companyId: string,
    { role, search }: CheckedMemberFilter,
  ): Promise<[MemberList<CompanyUserRow, CompanyMember>, Scope]> {
    if (role === undefined && search === undefined) return [COMPANY_USERS, [companyId]];
    const isIndexed = search !== undefined && isIndexedPart(search);
    const ids = isIndexed ? await this.#fewMatching(search) : undefined;
    return ids
      ? [USERS_AMONG, [companyId, role ?? null, ids]]
      : [FOUND_USERS, [companyId, role ?? null, ...patternsOf(search)]];
  }

  /**
   * Returns the ids of all users who match a search, which the indexes of users find; undefined for too many. A search that many
   * users match fills a page soon when members are read in order, one that few match would read all of them.
   */
  async #fewMatching(search: string): Promise<string[] | undefined> {
    const found = await this.#database.run((knex) => {
      const users = knex('users')
        .whereNull('erased_at')
        .limit(MOST_LOOKED_UP + 1);
      applyUserSearch(users, search);
      return users.select<{ id: string }[]>('id');
    });
    return found.length > MOST_LOOKED_UP ? undefined : found.map(({ id }) => id);
  }

  async #page<Row extends RowPosition, Member>(
    list: MemberList<Row, Member>,
    scope: Scope,
    page: PageRequest,
  ): Promise<Page<Member>> {
    const [rows, counted] = await Promise.all([
      this.#rows(list, scope, { ...page, limit: lookahead(page) }),
      this.#count(list, scope, MAX_EXACT_TOTAL),
    ]);
    return mapPage(placedPageOf(rows, counted, page, cursorOf), list.convert);
  }

  /** The total is exact if the page contains the whole list: it is sent before the rows are read. */
  async #slicedPage<Row extends RowPosition, Member>(
    list: MemberList<Row, Member>,
    scope: Scope,
    page: PageRequest,
    sliceSize: number,
  ): Promise<SlicedPage<Member>> {
    const end = page.offset + page.limit;
    const bound = Math.max(MAX_EXACT_TOTAL, end);
    const counted = await this.#count(list, scope, bound);
    const slices = this.#slices(list, scope, page, sliceSize);
    return { slices, ...totalOf(counted, { bound, atLeast: counted > end ? end + 1 : 0 }) };
  }

  async *#slices<Row extends RowPosition, Member>(
    list: MemberList<Row, Member>,
    scope: Scope,
    page: PageRequest,
    sliceSize: number,
  ): AsyncGenerator<Member[]> {
    let next = page;
    for (let left = page.limit; left > 0; left -= sliceSize) {
      const limit = Math.min(sliceSize, left);
      const rows: Row[] = await this.#rows(list, scope, { ...next, limit });
      if (rows.length > 0) yield rows.map(list.convert);
      const last = rows.at(-1);
      if (!last || rows.length < limit) return;
      // Positions do not move, so changes between two slices shift nothing.
      next = { limit, offset: 0, cursor: cursorOf(last) };
    }
  }

  #rows<Row extends RowPosition, Member>(
    list: MemberList<Row, Member>,
    scope: Scope,
    { limit, offset, cursor }: PageRequest,
  ): Promise<Row[]> {
    const after = cursor === undefined ? FIRST_POSITION : positionOf(cursor);
    return this.#database.query<Row>(list.rows, [...scope, after.microseconds, after.id, limit, offset]);
  }

  /** Counts up to one row more than the bound, which may be infinite. */
  async #count<Row, Member>(
    { count }: MemberList<Row, Member>,
    scope: Scope,
    bound: number,
  ): Promise<number> {
    const limit = Number.isFinite(bound) ? bound + 1 : null;
    const [row] = await this.#database.query<{ total: string }>(count, [...scope, limit]);
    return toCount(row?.total);
  }
}

function patternsOf(search: string | undefined): Scope {
  if (search === undefined) return [null, null, null];
  const { email, name, names } = userSearch(search, true);
  return [email, name, names];
}

function toCompanyMember(row: CompanyMembershipRow & UserColumns): CompanyMember {
  return { user: toSummary(row), membership: toCompanyMembership(row) };
}

function toSummary(row: UserColumns): UserSummary {
  return {
    id: row.user_id,
    email: row.email,
    fullName: row.full_name,
    globalRole: row.global_role,
    approvalStatus: row.approval_status,
    isActive: row.user_is_active,
    profilePictureUrl: row.profile_picture_url,
  };
}
