import type { Page, PageRequest } from '../kernel/page.js';
import { statement, type Database } from '../storage/database.js';
import type { BusinessUnitMember, CompanyMember, MemberWithUnits, UserSummary } from './member.js';
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
}

const OF_USER = {
  columns: ', u.email, u.full_name, u.global_role, u.approval_status, u.is_active AS user_is_active',
  joins: ' JOIN users u ON u.id = m.user_id',
};
const NEWEST_FIRST = 'ORDER BY m.created_at DESC, m.id DESC';
const ACTIVE_OF_COMPANY = 'FROM company_memberships m WHERE m.company_id = $1 AND m.is_active';
const ALL_OF_COMPANY = 'FROM company_memberships m WHERE m.company_id = $1';
const ACTIVE_OF_UNIT =
  'FROM business_unit_memberships m WHERE m.company_id = $1 AND m.business_unit_id = $2 AND m.is_active';

/** Returns a CTE of the page's rows, so that grants are read for these rows only. */
const pageOf = (rows: string, limit: string, offset: string) =>
  `WITH page AS MATERIALIZED (SELECT m.* ${rows} ${NEWEST_FIRST} LIMIT ${limit} OFFSET ${offset})`;

const COMPANY_USERS = statement(
  'company_users',
  `${pageOf(ACTIVE_OF_COMPANY, '$2', '$3')} ${selectCompanyMemberships('page', OF_USER)} ${NEWEST_FIRST}`,
);
/** Continues after a row by position, so that changes between pages shift nothing. */
const COMPANY_USERS_AFTER = statement(
  'company_users_after',
  `WITH page AS MATERIALIZED (
     SELECT m.* ${ACTIVE_OF_COMPANY}
       AND (m.created_at, m.id) < (timestamptz 'epoch' + $2::bigint * interval '1 microsecond', $3::uuid)
     ${NEWEST_FIRST} LIMIT $4)
   ${selectCompanyMemberships('page', {
     ...OF_USER,
     columns: `${OF_USER.columns}, (extract(epoch FROM m.created_at) * 1000000)::bigint::text AS microseconds`,
   })} ${NEWEST_FIRST}`,
);
/** Position before every row: the year 5138. */
const FIRST_POSITION = { microseconds: '99999999999999999', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

const COUNT_COMPANY_USERS = statement('company_users_count', `SELECT count(*) AS total ${ACTIVE_OF_COMPANY}`);

const COMPANY_MEMBERS = statement(
  'company_members',
  `${pageOf(ALL_OF_COMPANY, '$2', '$3')} ${selectCompanyMemberships('page', {
    ...OF_USER,
    columns: `${OF_USER.columns},
      ARRAY(SELECT to_jsonb(b) FROM business_unit_memberships b
            WHERE b.user_id = m.user_id AND b.company_id = m.company_id
            ORDER BY b.created_at DESC, b.id DESC) AS business_units`,
  })} ${NEWEST_FIRST}`,
);
const COUNT_COMPANY_MEMBERS = statement(
  'company_members_count',
  `SELECT count(*) AS total ${ALL_OF_COMPANY}`,
);

const UNIT_USERS = statement(
  'business_unit_users',
  `${pageOf(ACTIVE_OF_UNIT, '$3', '$4')}
   SELECT m.*${OF_USER.columns} FROM page m${OF_USER.joins} ${NEWEST_FIRST}`,
);
const COUNT_UNIT_USERS = statement('business_unit_users_count', `SELECT count(*) AS total ${ACTIVE_OF_UNIT}`);

/** Reads lists of members, newest first, each in two statements whatever the size of the page. */
export class MembershipQueries {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns active members of a company. */
  async companyUsers(companyId: string, page: PageRequest): Promise<Page<CompanyMember>> {
    const [rows, counted] = await Promise.all([
      this.#database.query<CompanyMembershipRow & UserColumns>(COMPANY_USERS, [
        companyId,
        page.limit,
        page.offset,
      ]),
      this.#database.query<{ total: string }>(COUNT_COMPANY_USERS, [companyId]),
    ]);
    return { items: rows.map(toCompanyMember), total: totalOf(counted) };
  }

  async countCompanyUsers(companyId: string): Promise<number> {
    return totalOf(await this.#database.query<{ total: string }>(COUNT_COMPANY_USERS, [companyId]));
  }

  /** Yields all active members of a company, in pages. Each page is as it is when it is read. */
  async *eachCompanyUser(companyId: string, pageSize: number): AsyncGenerator<CompanyMember[]> {
    type Row = CompanyMembershipRow & UserColumns & { microseconds: string };
    let last: Pick<Row, 'microseconds' | 'id'> | undefined = FIRST_POSITION;
    while (last) {
      const values: unknown[] = [companyId, last.microseconds, last.id, pageSize];
      const rows: Row[] = await this.#database.query<Row>(COMPANY_USERS_AFTER, values);
      if (rows.length > 0) yield rows.map(toCompanyMember);
      last = rows.length < pageSize ? undefined : rows.at(-1);
    }
  }

  /** Returns all memberships of a company, active or not, with their business-unit memberships. */
  async companyMembers(companyId: string, page: PageRequest): Promise<Page<MemberWithUnits>> {
    type Row = CompanyMembershipRow & UserColumns & { business_units: BusinessUnitMembershipRow[] };
    const [rows, counted] = await Promise.all([
      this.#database.query<Row>(COMPANY_MEMBERS, [companyId, page.limit, page.offset]),
      this.#database.query<{ total: string }>(COUNT_COMPANY_MEMBERS, [companyId]),
    ]);
    const items = rows.map((row) => ({
      ...toCompanyMember(row),
      businessUnits: row.business_units.map(toBusinessUnitMembership),
    }));
    return { items, total: totalOf(counted) };
  }

  /** Returns active members of a business unit. */
  async businessUnitUsers(
    { companyId, businessUnitId }: { companyId: string; businessUnitId: string },
    page: PageRequest,
  ): Promise<Page<BusinessUnitMember>> {
    const scope = [companyId, businessUnitId];
    const [rows, counted] = await Promise.all([
      this.#database.query<BusinessUnitMembershipRow & UserColumns>(UNIT_USERS, [
        ...scope,
        page.limit,
        page.offset,
      ]),
      this.#database.query<{ total: string }>(COUNT_UNIT_USERS, scope),
    ]);
    const items = rows.map((row) => ({ user: toSummary(row), membership: toBusinessUnitMembership(row) }));
    return { items, total: totalOf(counted) };
  }
}

const toCompanyMember = (row: CompanyMembershipRow & UserColumns): CompanyMember => ({
  user: toSummary(row),
  membership: toCompanyMembership(row),
});

const toSummary = (row: UserColumns): UserSummary => ({
  id: row.user_id,
  email: row.email,
  fullName: row.full_name,
  globalRole: row.global_role,
  approvalStatus: row.approval_status,
  isActive: row.user_is_active,
});

const totalOf = (counted: { total: string }[]): number => Number(counted[0]?.total ?? 0);
