import { newId } from '../kernel/id.js';
import { selectCompanyMemberships } from '../memberships/membership-repository.js';
import { toCompanyMembership, type CompanyMembershipRow } from '../memberships/membership-row.js';
import type { CompanyMembership } from '../memberships/membership.js';
import { statement, type Database, type Transaction } from '../storage/database.js';
import { toCount } from '../storage/postgres-types.js';
import type { GlobalRole } from '../users/user.js';
import type { CompanyRole } from './company-role.js';

/** A definition in a company, or a template. */
export interface RoleScope {
  /** Null for a template. */
  companyId: string | null;
  key: string;
}

type Contents = Pick<CompanyRole, 'name' | 'description' | 'modules' | 'permissions' | 'delegation'>;

/** Members of a role are counted up to this number in lists. */
const MOST_COUNTED = 1000;

const COLUMNS = `id, company_id AS "companyId", key, name, description, modules, permissions, delegation, version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Definitions of a company and templates that none of them replaces; only templates without a company. */
const LIST = statement(
  'company_role_list',
  `SELECT ${COLUMNS.replace('id,', 'r.id,')} FROM company_roles r
   WHERE r.company_id = $1 OR (r.company_id IS NULL AND NOT EXISTS (
     SELECT FROM company_roles own WHERE own.company_id = $1 AND own.key = r.key))
   ORDER BY r.key`,
);

const FIND = statement(
  'company_role_find',
  `SELECT ${COLUMNS} FROM company_roles WHERE company_id IS NOT DISTINCT FROM $1::uuid AND key = $2`,
);

const COUNT = statement(
  'company_role_count',
  'SELECT count(*) AS total FROM company_roles WHERE company_id IS NOT DISTINCT FROM $1::uuid',
);

const INSERT = statement(
  'company_role_insert',
  `INSERT INTO company_roles (id, company_id, key, name, description, modules, permissions, delegation)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb) RETURNING ${COLUMNS}`,
);

const UPDATE = statement(
  'company_role_update',
  `UPDATE company_roles
   SET name = $3, description = $4, modules = $5, permissions = $6, delegation = $7::jsonb, version = version + 1, updated_at = now()
   WHERE id = $1 AND version = $2 RETURNING ${COLUMNS}`,
);

const REMOVE = statement('company_role_remove', 'DELETE FROM company_roles WHERE id = $1');

const END_REVISION = statement(
  'company_role_revision_end',
  'UPDATE company_role_revisions SET valid_until = now() WHERE role_id = $1 AND valid_until IS NULL',
);

const ADD_REVISION = statement(
  'company_role_revision_add',
  `INSERT INTO company_role_revisions
     (id, role_id, company_id, key, version, name, description, modules, permissions, delegation)
   SELECT $2, id, company_id, key, version, name, description, modules, permissions, delegation
   FROM company_roles WHERE id = $1`,
);

const REVISION_AT = statement(
  'company_role_revision_at',
  `SELECT role_id AS id, company_id AS "companyId", key, name, description, modules, permissions, delegation, version,
     valid_from AS "createdAt", valid_from AS "updatedAt"
   FROM company_role_revisions
   WHERE company_id IS NOT DISTINCT FROM $1::uuid AND key = $2 AND valid_from <= $3
     AND (valid_until IS NULL OR valid_until > $3)
   ORDER BY valid_from DESC LIMIT 1`,
);

/** The active members of a role: of one company, or of every company without a definition of its own. */
const OF_COMPANY = 'm.is_active AND m.role = $2 AND m.company_id = $1';
const OF_TEMPLATE = `m.is_active AND m.role = $2 AND $1::uuid IS NULL AND NOT EXISTS (
  SELECT FROM company_roles own WHERE own.company_id = m.company_id AND own.key = m.role)`;

const countOf = (members: string) => `SELECT count(*) AS total FROM company_memberships m WHERE ${members}`;
const COUNT_MEMBERS = statement('company_role_members', countOf(OF_COMPANY));
const COUNT_MEMBERS_OF_TEMPLATE = statement('company_role_members_of_template', countOf(OF_TEMPLATE));

/** Counts many roles of a company at once, each up to the bound; `$1` the company, `$2` the keys. */
const COUNT_LISTED = statement(
  'company_role_members_listed',
  `SELECT listed.key, (SELECT count(*) FROM (
     SELECT FROM company_memberships m WHERE m.is_active AND m.role = listed.key AND m.company_id = $1 LIMIT ${MOST_COUNTED}
   ) AS counted) AS total
   FROM unnest($2::text[]) AS listed (key)`,
);

const COUNT_LISTED_TEMPLATES = statement(
  'company_role_members_of_templates',
  `SELECT listed.key, (SELECT count(*) FROM (
     SELECT FROM company_memberships m WHERE m.is_active AND m.role = listed.key AND NOT EXISTS (
       SELECT FROM company_roles own WHERE own.company_id = m.company_id AND own.key = m.role) LIMIT ${MOST_COUNTED}
   ) AS counted) AS total
   FROM unnest($1::text[]) AS listed (key)`,
);

const staffOf = (members: string) =>
  `SELECT DISTINCT u.id, u.global_role AS "globalRole" FROM company_memberships m JOIN users u ON u.id = m.user_id
   WHERE ${members} AND u.global_role <> 'NONE'`;
const STAFF_MEMBERS = statement('company_role_staff', staffOf(OF_COMPANY));
const STAFF_MEMBERS_OF_TEMPLATE = statement('company_role_staff_of_template', staffOf(OF_TEMPLATE));

const membershipsOf = (members: string) =>
  `${selectCompanyMemberships('company_memberships')} WHERE ${members} AND m.user_id = $3`;
const MEMBERSHIPS_OF = statement('company_role_memberships_of', membershipsOf(OF_COMPANY));
const MEMBERSHIPS_OF_TEMPLATE = statement('company_role_memberships_of_template', membershipsOf(OF_TEMPLATE));

/**
 * Stores the definitions of roles with their revisions. The caller of each write has locked the roles with
 * `MembershipWriteRepository.lockRoles`, so counts and versions hold until the transaction ends.
 */
export class CompanyRoleRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the definitions in effect in a company, by key; the templates without one. */
  list(companyId: string | null): Promise<CompanyRole[]> {
    return this.#database.query<CompanyRole>(LIST, [companyId]);
  }

  async find({ companyId, key }: RoleScope, trx?: Transaction): Promise<CompanyRole | undefined> {
    const [role] = await this.#database.query<CompanyRole>(FIND, [companyId, key], trx);
    return role;
  }

  /** Returns the definition that was in effect at a time; undefined if there was none, or its revision was removed. */
  async findAt({ companyId, key }: RoleScope, at: Date): Promise<CompanyRole | undefined> {
    const [role] = await this.#database.query<CompanyRole>(REVISION_AT, [companyId, key, at]);
    return role;
  }

  /** Returns the number of definitions of a company, or of templates. */
  async count(companyId: string | null, trx: Transaction): Promise<number> {
    const [row] = await this.#database.query<{ total: string }>(COUNT, [companyId], trx);
    return toCount(row?.total);
  }

  async insert({ companyId, key }: RoleScope, contents: Contents, trx: Transaction): Promise<CompanyRole> {
    const values = [newId(), companyId, key, ...valuesOf(contents)];
    return this.#revised(await this.#database.query<CompanyRole>(INSERT, values, trx), trx);
  }

  /** Replaces a definition if its version is still that of `role`. */
  async update(
    { id, version }: Pick<CompanyRole, 'id' | 'version'>,
    contents: Contents,
    trx: Transaction,
  ): Promise<CompanyRole> {
    const values = [id, version, ...valuesOf(contents)];
    return this.#revised(await this.#database.query<CompanyRole>(UPDATE, values, trx), trx);
  }

  /** Removes a definition; its revisions stay. */
  async remove({ id }: Pick<CompanyRole, 'id'>, trx: Transaction): Promise<void> {
    await this.#database.query(END_REVISION, [id], trx);
    await this.#database.query(REMOVE, [id], trx);
  }

  /** Returns the number of active members whose role has this definition, or would have it. */
  async countMembers({ companyId, key }: RoleScope, trx: Transaction): Promise<number> {
    const hot = companyId === null ? COUNT_MEMBERS_OF_TEMPLATE : COUNT_MEMBERS;
    const [row] = await this.#database.query<{ total: string }>(hot, [companyId, key], trx);
    return toCount(row?.total);
  }

  /** Returns the numbers of members by key, each up to 1,000. */
  async countListed(companyId: string | null, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const [hot, values] =
      companyId === null
        ? ([COUNT_LISTED_TEMPLATES, [keys]] as const)
        : ([COUNT_LISTED, [companyId, keys]] as const);
    const rows = await this.#database.query<{ key: string; total: string }>(hot, values);
    return new Map(rows.map(({ key, total }) => [key, toCount(total)]));
  }

  /** Returns the platform staff among the members. */
  staffMembers(
    { companyId, key }: RoleScope,
    trx: Transaction,
  ): Promise<{ id: string; globalRole: GlobalRole }[]> {
    const hot = companyId === null ? STAFF_MEMBERS_OF_TEMPLATE : STAFF_MEMBERS;
    return this.#database.query(hot, [companyId, key], trx);
  }

  /** Returns the memberships of a user that have the role, with the definition in effect. */
  async membershipsOf(
    userId: string,
    { companyId, key }: RoleScope,
    trx: Transaction,
  ): Promise<CompanyMembership[]> {
    const hot = companyId === null ? MEMBERSHIPS_OF_TEMPLATE : MEMBERSHIPS_OF;
    const rows = await this.#database.query<CompanyMembershipRow>(hot, [companyId, key, userId], trx);
    return rows.map(toCompanyMembership);
  }

  async #revised([role]: CompanyRole[], trx: Transaction): Promise<CompanyRole> {
    if (!role) throw new TypeError('The roles were not locked.');
    await this.#database.query(END_REVISION, [role.id], trx);
    await this.#database.query(ADD_REVISION, [role.id, newId()], trx);
    return role;
  }
}

const valuesOf = ({ name, description, modules, permissions, delegation }: Contents): unknown[] => [
  name,
  description,
  modules,
  permissions,
  JSON.stringify(delegation),
];
