import { newId } from '../kernel/id.js';
import type { Transaction } from '../storage/database.js';
import type {
  BusinessUnitMembership,
  BusinessUnitPlace,
  CompanyMembership,
  CompanyMembershipChange,
  MembershipState,
} from './membership.js';
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

const READ_ONE = `${selectCompanyMemberships('company_memberships')} WHERE m.id = ?`;

/** Writes places in companies and business units, with all that hangs off them. Always inside a transaction. */
export class MembershipWriteRepository {
  readonly #grants = new GrantRepository();

  /**
   * Adds or changes a user's place in a company; the unique pair of user and company decides between simultaneous
   * calls. A place that ends takes the user's places in the company's business units with it.
   */
  async writeMembership(change: CompanyMembershipChange, trx: Transaction): Promise<CompanyMembership> {
    const id = await this.#upsert(change, trx);
    if (change.isActive === false) await this.#endBusinessUnitPlaces(change, trx);
    await this.#grants.write(id, change, trx);
    return this.read(id, trx);
  }

  /**
   * Adds or changes a user's place in a business unit.
   * @throws a foreign key violation (`not_found`) without a place in the company.
   */
  async writeBusinessUnit(
    place: BusinessUnitPlace,
    isActive: boolean | undefined,
    trx: Transaction,
  ): Promise<BusinessUnitMembership> {
    const [row] = await trx('business_unit_memberships')
      .insert({
        id: newId(),
        user_id: place.userId,
        company_id: place.companyId,
        business_unit_id: place.businessUnitId,
        is_active: isActive,
      })
      .onConflict(['user_id', 'company_id', 'business_unit_id'])
      .merge({
        is_active: isActive,
        ...(isActive === false && { is_primary_approver: false }),
        updated_at: trx.raw('now()'),
      })
      .returning<BusinessUnitMembershipRow[]>('*');
    if (!row) throw new Error('The business-unit membership was not written.');
    return toBusinessUnitMembership(row);
  }

  /** The places of these users in the company, locked until the transaction ends, always in the same order. */
  async lock(
    companyId: string,
    userIds: readonly string[],
    trx: Transaction,
  ): Promise<Map<string, MembershipState>> {
    const rows = await trx('company_memberships')
      .where({ company_id: companyId })
      .whereIn('user_id', [...userIds])
      .orderBy('id')
      .forUpdate()
      .select<MembershipStateRow[]>('*');
    return new Map(rows.map((row) => [row.user_id, toMembershipState(row)]));
  }

  /** One membership with what hangs off it, as this transaction sees it. */
  async read(id: string, trx: Transaction): Promise<CompanyMembership> {
    const { rows } = await trx.raw<{ rows: CompanyMembershipRow[] }>(READ_ONE, [id]);
    const [row] = rows;
    if (!row) throw new Error('The company membership is gone.');
    return toCompanyMembership(row);
  }

  async #upsert(change: CompanyMembershipChange, trx: Transaction): Promise<string> {
    const fields = { role: change.role, is_active: change.isActive, approval_limit: change.approvalLimit };
    const [row] = await trx('company_memberships')
      .insert({ id: newId(), user_id: change.userId, company_id: change.companyId, ...fields })
      .onConflict(['user_id', 'company_id'])
      .merge({
        ...fields,
        ...(change.isActive === false && { is_primary_finance_admin: false }),
        updated_at: trx.raw('now()'),
      })
      .returning<{ id: string }[]>('id');
    if (!row) throw new Error('The company membership was not written.');
    return row.id;
  }

  async #endBusinessUnitPlaces(
    { userId, companyId }: Pick<CompanyMembershipChange, 'userId' | 'companyId'>,
    trx: Transaction,
  ): Promise<void> {
    await trx('business_unit_memberships')
      .where({ user_id: userId, company_id: companyId, is_active: true })
      .update({ is_active: false, is_primary_approver: false, updated_at: trx.raw('now()') });
  }
}
