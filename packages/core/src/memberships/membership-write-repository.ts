import { newId } from '../kernel/id.js';
import type { Transaction } from '../storage/database.js';
import { TENANT_SUPERADMIN } from './company-authority.js';
import { GrantRepository } from './grant-repository.js';
import { selectCompanyMemberships } from './membership-repository.js';
import {
  toBusinessUnitMembership,
  toCompanyMembership,
  toMembershipState,
  type BusinessUnitMembershipRow,
  type CompanyMembershipRow,
  type MembershipStateRow,
} from './membership-row.js';
import { settleChange, type MembershipWrite } from './membership-write.js';
import type {
  BusinessUnitMembership,
  BusinessUnitMembershipKey,
  CompanyMembership,
  CompanyMembershipChange,
  MembershipState,
} from './membership.js';
import type { MembershipAuthority } from './own-authority.js';

/**
 * Locks of the roles, in one order: those of all companies, then those of one. Who writes memberships or invitations shares both; who
 * writes a role of a company, or a template, excludes everybody else from the second, or the first.
 */
const roleLock = (lock: string, key: string) => `${lock}(hashtextextended(${key}, 0))`;
const ALL_ROLES = "'company-roles'";
const ROLES_OF_COMPANY = "'company-roles:' || ?::text";
const SHARED = 'pg_advisory_xact_lock_shared';
const EXCLUSIVE = 'pg_advisory_xact_lock';
const SHARE_ROLES = `SELECT ${roleLock(SHARED, ALL_ROLES)}, ${roleLock(SHARED, ROLES_OF_COMPANY)}`;
const LOCK_COMPANY_ROLES = `SELECT ${roleLock(SHARED, ALL_ROLES)}, ${roleLock(EXCLUSIVE, ROLES_OF_COMPANY)}`;
const LOCK_TEMPLATES = `SELECT ${roleLock(EXCLUSIVE, ALL_ROLES)}`;

const READ_ONE = `${selectCompanyMemberships('company_memberships')} WHERE m.id = ?`;

/** Writes memberships of companies and business units, with all grants. Always inside a transaction. */
export class MembershipWriteRepository {
  readonly #grants = new GrantRepository();

  /**
   * Creates or changes a company membership; the unique pair of user and company decides between simultaneous
   * calls. Ending one and joining again leave nothing of the former authority, nor in the business units of
   * the company.
   * @param current the membership as the transaction has locked it.
   */
  async writeMembership(
    current: MembershipState | undefined,
    change: CompanyMembershipChange,
    trx: Transaction,
  ): Promise<CompanyMembership> {
    const write = settleChange(current, change);
    const id = await this.#upsert(write, trx);
    if (write.financeRole === null) await this.#endBusinessUnits(write, trx);
    await this.#grants.write(id, write, trx);
    return this.read(id, trx);
  }

  /**
   * Creates or changes a business-unit membership; one that ends or becomes active again has no finance
   * fields.
   * @throws a foreign key violation (`not_found`) without a membership of the company.
   */
  async writeBusinessUnit(
    key: BusinessUnitMembershipKey,
    isActive: boolean | undefined,
    trx: Transaction,
  ): Promise<BusinessUnitMembership> {
    const [row] = await trx('business_unit_memberships')
      .insert({
        id: newId(),
        user_id: key.userId,
        company_id: key.companyId,
        business_unit_id: key.businessUnitId,
        is_active: isActive,
      })
      .onConflict(['user_id', 'company_id', 'business_unit_id'])
      .merge({
        is_active: isActive,
        ...(isActive === false && NO_PART_IN_UNIT),
        ...(isActive === true && keptWhileActive(trx)),
        updated_at: trx.raw('now()'),
      })
      .returning<BusinessUnitMembershipRow[]>('*');
    if (!row) throw new Error('The business-unit membership was not written.');
    return toBusinessUnitMembership(row);
  }

  /**
   * Gives the active members of a role another one, in order of their ids; the transaction has locked the roles.
   * @param companyId null for every company without a definition of its own.
   * @returns the memberships that changed.
   */
  async moveRole(
    { companyId, key, moveTo }: { companyId: string | null; key: string; moveTo: string },
    trx: Transaction,
  ): Promise<{ userId: string; companyId: string }[]> {
    const held = trx('company_memberships as m')
      .where({ 'm.role': key, 'm.is_active': true })
      .orderBy('m.id')
      .forUpdate('m')
      .select('m.id');
    if (companyId !== null) void held.where({ 'm.company_id': companyId });
    else void held.whereRaw(WITHOUT_OWN_DEFINITION);
    const ids = (await held).map(({ id }: { id: string }) => id);
    return trx('company_memberships')
      .whereRaw('id = ANY(?::uuid[])', [ids])
      .update({ role: moveTo, updated_at: trx.raw('now()') })
      .returning(['user_id as userId', 'company_id as companyId']);
  }

  /**
   * Removes the memberships of a user, with business units, grants and rules. The transaction has locked the user's row, so none
   * is added meanwhile.
   * @returns the number of removed memberships of companies.
   */
  async removeAll(userId: string, trx: Transaction): Promise<number> {
    return trx('company_memberships').where({ user_id: userId }).delete();
  }

  /** Makes first uses of a business unit wait for each other, until the transaction ends. */
  async lockUnit(businessUnitId: string, trx: Transaction): Promise<void> {
    await trx.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [`unit:${businessUnitId}`]);
  }

  /**
   * Returns the company that used a business unit first. That there is none is certain only under `lockUnit`.
   */
  async ownerOfUnit(businessUnitId: string, trx: Transaction): Promise<string | undefined> {
    const row = await trx('business_unit_memberships')
      .where({ business_unit_id: businessUnitId })
      .orderBy(['created_at', 'id'])
      .first<{ company_id: string } | undefined>('company_id');
    return row?.company_id;
  }

  /**
   * Makes the roles of a company, or all of them without one, wait for this transaction, and with them every write of a membership
   * or invitation that may have one of these roles. Lock it after users and before memberships.
   */
  async lockRoles(companyId: string | null, trx: Transaction): Promise<void> {
    await (companyId === null ? trx.raw(LOCK_TEMPLATES) : trx.raw(LOCK_COMPANY_ROLES, [companyId]));
  }

  /**
   * Reports whether a company has a `TENANT_SUPERADMIN` beside this user who may sign in. Changes that could end the last one wait for each
   * other here, each with its rows locked, so the answer holds until the transaction ends.
   */
  async hasOtherSuperadmin(
    { companyId, userId }: Pick<CompanyMembershipChange, 'companyId' | 'userId'>,
    trx: Transaction,
  ): Promise<boolean> {
    await trx.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [`superadmins:${companyId}`]);
    const other = await trx('company_memberships as m')
      .join('users as u', 'u.id', 'm.user_id')
      .where({
        'm.company_id': companyId,
        'm.role': TENANT_SUPERADMIN,
        'm.is_active': true,
        'u.is_active': true,
        'u.approval_status': 'APPROVED',
      })
      .whereNot({ 'm.user_id': userId })
      .first<{ id: string } | undefined>('m.id');
    return other !== undefined;
  }

  /**
   * Returns the companies in which the user is an active `TENANT_SUPERADMIN`, in one order: the locks of `hasOtherSuperadmin` are taken in
   * it. The transaction has locked the user, so the list stays true.
   */
  async companiesOfSuperadmin(userId: string, trx: Transaction): Promise<string[]> {
    const rows = await trx('company_memberships')
      .where({ user_id: userId, role: TENANT_SUPERADMIN, is_active: true })
      .orderBy('company_id')
      .select<{ company_id: string }[]>('company_id');
    return rows.map(({ company_id: companyId }) => companyId);
  }

  /** Reports whether a role has a definition in the company, of its own or by a template. */
  async isDefined(companyId: string, key: string, trx: Transaction): Promise<boolean> {
    const found = await trx('company_roles')
      .where({ key })
      .where((either) => void either.where({ company_id: companyId }).orWhereNull('company_id'))
      .first<{ id: string } | undefined>('id');
    return found !== undefined;
  }

  /**
   * Returns the memberships of these users in the company, locked until the transaction ends, always in the
   * same order. Until then the definitions of its roles do not change either.
   */
  async lock(
    companyId: string,
    userIds: readonly string[],
    trx: Transaction,
  ): Promise<Map<string, MembershipState>> {
    await trx.raw(SHARE_ROLES, [companyId]);
    const rows = await trx('company_memberships')
      .where({ company_id: companyId })
      .whereIn('user_id', [...userIds])
      .orderBy('id')
      .forUpdate()
      .select<MembershipStateRow[]>('*');
    return new Map(rows.map((row) => [row.user_id, toMembershipState(row)]));
  }

  /** Returns one membership with its grants, as this transaction sees it. */
  async read(id: string, trx: Transaction): Promise<CompanyMembership> {
    const { rows } = await trx.raw<{ rows: CompanyMembershipRow[] }>(READ_ONE, [id]);
    const [row] = rows;
    if (!row) throw new Error('The company membership is gone.');
    return toCompanyMembership(row);
  }

  /** Reports whether the user has a membership of the business unit under this company, active or not. */
  async hasBusinessUnit(key: BusinessUnitMembershipKey, trx: Transaction): Promise<boolean> {
    const row = await trx('business_unit_memberships')
      .where({ user_id: key.userId, company_id: key.companyId, business_unit_id: key.businessUnitId })
      .first<{ id: string } | undefined>('id');
    return row !== undefined;
  }

  /** Returns a membership with its rules and its business-unit memberships: everything that ends with it. */
  async readAuthority(id: string, trx: Transaction): Promise<MembershipAuthority> {
    const membership = await this.read(id, trx);
    const { userId: user_id, companyId: company_id } = membership;
    const units = await trx('business_unit_memberships')
      .where({ user_id, company_id })
      .orderBy('id')
      .select<BusinessUnitMembershipRow[]>('*');
    const moduleRules = await this.#grants.rulesOf(id, trx);
    return { ...membership, moduleRules, businessUnits: units.map(toBusinessUnitMembership) };
  }

  async #upsert(change: MembershipWrite, trx: Transaction): Promise<string> {
    const fields = { role: change.role, is_active: change.isActive, approval_limit: change.approvalLimit };
    const [row] = await trx('company_memberships')
      .insert({ id: newId(), user_id: change.userId, company_id: change.companyId, ...fields })
      .onConflict(['user_id', 'company_id'])
      .merge({
        ...fields,
        ...(change.financeRole === null && { finance_role: null, is_primary_finance_admin: false }),
        updated_at: trx.raw('now()'),
      })
      .returning<{ id: string }[]>('id');
    if (!row) throw new Error('The company membership was not written.');
    return row.id;
  }

  async #endBusinessUnits(
    { userId, companyId }: Pick<CompanyMembershipChange, 'userId' | 'companyId'>,
    trx: Transaction,
  ): Promise<void> {
    await trx('business_unit_memberships')
      .where({ user_id: userId, company_id: companyId })
      .whereRaw('(is_active OR finance_role IS NOT NULL OR approval_limit IS NOT NULL)')
      .update({ is_active: false, ...NO_PART_IN_UNIT, updated_at: trx.raw('now()') });
  }
}

const WITHOUT_OWN_DEFINITION =
  'NOT EXISTS (SELECT FROM company_roles r WHERE r.company_id = m.company_id AND r.key = m.role)';

const NO_PART_IN_UNIT = { finance_role: null, approval_limit: null, is_primary_approver: false };

/** Returns the fields that an upsert keeps of an active row; of an ended one it keeps nothing. */
const keptWhileActive = (trx: Transaction) =>
  Object.fromEntries(
    ['finance_role', 'approval_limit'].map((column) => [
      column,
      trx.raw(`CASE WHEN business_unit_memberships.is_active THEN business_unit_memberships.${column} END`),
    ]),
  );
