import { Batcher } from '../kernel/batcher.js';
import { idBatch, statement, type Database } from '../storage/database.js';
import {
  toBusinessUnitMembership,
  toCompanyMembership,
  type BusinessUnitMembershipRow,
  type CompanyMembershipRow,
  type DecidingRuleRow,
} from './membership-row.js';
import type { CompanyMembership, Memberships } from './membership.js';

/** The two columns that `membershipColumns` adds to a row. */
export interface MembershipColumns {
  company_memberships: CompanyMembershipRow[];
  business_unit_memberships: BusinessUnitMembershipRow[];
}

/**
 * Returns two columns with all active memberships of the user whose id `user` names (such as `u.id`), newest
 * first, for the select list of any statement: a user and their memberships are read by one query.
 */
export function membershipColumns(user: string): string {
  return `${jsonOf(`
       ${selectCompanyMemberships('company_memberships')}
       WHERE m.user_id = ${user} AND m.is_active
       ORDER BY m.created_at DESC, m.id DESC`)} AS company_memberships,
     ${jsonOf(`
       SELECT b.* FROM business_unit_memberships b
       WHERE b.user_id = ${user} AND b.is_active
       ORDER BY b.created_at DESC, b.id DESC`)} AS business_unit_memberships`;
}

/** The column that `moduleRulesColumn` adds to a row. */
export interface ModuleRulesColumn {
  module_rules: DecidingRuleRow[];
}

/** Returns a column with the module rules of the active company memberships of a user, beside `membershipColumns`. */
export const moduleRulesColumn = (user: string): string =>
  `${jsonOf(`
       SELECT r.membership_id, r.module_key, r.effect
       FROM company_memberships m JOIN membership_module_rules r ON r.membership_id = m.id
       WHERE m.user_id = ${user} AND m.is_active`)} AS module_rules`;

/** One JSON array is written and parsed as a whole; an array of JSON values is quoted and parsed once more. */
const jsonOf = (rows: string): string => `coalesce((SELECT json_agg(listed) FROM (${rows}) AS listed), '[]')`;

/**
 * Returns a column with the definition of a role, or null: that of the company, else the template for all companies. Each is found
 * by the unique index.
 * @param company the expression of the company, such as `m.company_id`. @param key that of the role.
 */
export function definedRoleColumn(company: string, key: string): string {
  const where = (owner: string) => `(
    SELECT json_build_object('name', r.name, 'modules', r.modules, 'permissions', r.permissions, 'delegation', r.delegation)
    FROM company_roles r WHERE r.company_id ${owner} AND r.key = ${key})`;
  return `coalesce(${where(`= ${company}`)}, ${where('IS NULL')})`;
}

/**
 * Returns the start of a SELECT of company memberships, as `m`, with grants, permissions and delegation;
 * `source` is the table or a CTE of its rows, `more` further columns and joins.
 */
export function selectCompanyMemberships(source: string, more = { columns: '', joins: '' }): string {
  return `SELECT m.*,
           ARRAY(SELECT g.module_key FROM membership_module_grants g
                 WHERE g.membership_id = m.id ORDER BY g.module_key) AS module_grants,
           ARRAY(SELECT p.permission_key FROM membership_permissions p
                 WHERE p.membership_id = m.id ORDER BY p.permission_key) AS permission_grants,
           d.can_manage_users, d.can_buy_addons, d.grantable_modules, d.grantable_permissions,
           ${definedRoleColumn('m.company_id', 'm.role')} AS defined_role${more.columns}
         FROM ${source} m LEFT JOIN membership_delegations d ON d.membership_id = m.id${more.joins}`;
}

export const toMemberships = (row: MembershipColumns): Memberships => ({
  companies: row.company_memberships.map(toCompanyMembership),
  businessUnits: row.business_unit_memberships.map(toBusinessUnitMembership),
});

const OF_USERS = statement(
  'memberships_of_users',
  `SELECT u.id, ${membershipColumns('u.id')} FROM unnest(${idBatch('$1')}) AS u(id)`,
);

/** Reads active memberships by user; look-ups of one tick share one query. */
export class MembershipRepository {
  readonly #byUser: Batcher<Memberships>;

  constructor(database: Database) {
    this.#byUser = new Batcher(async (userIds) => {
      const rows = await database.query<MembershipColumns & { id: string }>(OF_USERS, [userIds]);
      return new Map(rows.map((row) => [row.id, toMemberships(row)]));
    });
  }

  async ofUser(userId: string): Promise<Memberships> {
    return (await this.#byUser.load(userId)) ?? { companies: [], businessUnits: [] };
  }

  /** Returns the user's active membership of this company, if there is one. */
  async ofUserInCompany(userId: string, companyId: string): Promise<CompanyMembership | undefined> {
    const { companies } = await this.ofUser(userId);
    return companies.find((membership) => membership.companyId === companyId);
  }
}
