import type { Transaction } from '../storage/database.js';
import type {
  BusinessUnitMembership,
  BusinessUnitPlace,
  FinanceRole,
  MembershipState,
} from './membership.js';
import {
  toBusinessUnitMembership,
  toMembershipState,
  type BusinessUnitMembershipRow,
  type MembershipStateRow,
} from './membership-row.js';

/** What a finance write sets; what is left out stays. */
export interface FinanceChange {
  financeRole?: FinanceRole | null | undefined;
  approvalLimit?: string | null | undefined;
  isPrimary?: boolean | undefined;
}

/** A company, or one of its business units: within it there is one primary at most. */
export type FinanceScope = Pick<BusinessUnitPlace, 'companyId'> & { businessUnitId?: string };

/** Places as the finance workflow sees them, locked until the transaction ends. */
export interface LockedPlaces {
  /** By user. */
  places: Map<string, MembershipState>;
  /** The user who is the company's Primary Finance Admin. */
  primaryUserId: string | undefined;
}

/**
 * The finance columns. A move of the primary takes the lock of its scope before any row, so that moves within one
 * scope come one after the other; rows are locked in the order of their ids. A unique index allows one primary.
 */
export class FinanceRepository {
  /** Held until the transaction ends. */
  async lockScope({ companyId, businessUnitId = '' }: FinanceScope, trx: Transaction): Promise<void> {
    await trx.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [
      `finance:${companyId}:${businessUnitId}`,
    ]);
  }

  /** The places of these users in the company and that of its primary. */
  async lockCompany(companyId: string, userIds: readonly string[], trx: Transaction): Promise<LockedPlaces> {
    const rows = await trx('company_memberships')
      .where({ company_id: companyId })
      .where((wanted) => void wanted.whereIn('user_id', userIds).orWhere('is_primary_finance_admin', true))
      .orderBy('id')
      .forUpdate()
      .select<MembershipStateRow[]>('*');
    return {
      places: new Map(rows.map((row) => [row.user_id, toMembershipState(row)])),
      primaryUserId: rows.find((row) => row.is_primary_finance_admin)?.user_id,
    };
  }

  /** The user's place in the business unit and that of its primary approver. */
  async lockBusinessUnit(
    { userId, companyId, businessUnitId }: BusinessUnitPlace,
    trx: Transaction,
  ): Promise<{ place: BusinessUnitMembership | undefined; primaryUserId: string | undefined }> {
    const rows = await trx('business_unit_memberships')
      .where({ company_id: companyId, business_unit_id: businessUnitId })
      .where((wanted) => void wanted.where('user_id', userId).orWhere('is_primary_approver', true))
      .orderBy('id')
      .forUpdate()
      .select<BusinessUnitMembershipRow[]>('*');
    const row = rows.find((one) => one.user_id === userId);
    return {
      place: row && toBusinessUnitMembership(row),
      primaryUserId: rows.find((one) => one.is_primary_approver)?.user_id,
    };
  }

  /** Takes the flag from whoever has it but this user, then changes the user's place. */
  async updateCompany(
    { userId, companyId }: { userId: string; companyId: string },
    change: FinanceChange,
    trx: Transaction,
  ): Promise<void> {
    const flag = 'is_primary_finance_admin';
    const ofCompany = () => trx('company_memberships').where({ company_id: companyId });
    if (change.isPrimary) {
      await ofCompany()
        .where({ [flag]: true })
        .whereNot({ user_id: userId })
        .update({ [flag]: false, updated_at: trx.fn.now() });
    }
    await ofCompany()
      .where({ user_id: userId })
      .update({ ...columnsOf(change), [flag]: change.isPrimary, updated_at: trx.fn.now() });
  }

  /** The same in a business unit. */
  async updateBusinessUnit(
    { userId, companyId, businessUnitId }: BusinessUnitPlace,
    change: FinanceChange,
    trx: Transaction,
  ): Promise<BusinessUnitMembership> {
    const flag = 'is_primary_approver';
    const ofUnit = () =>
      trx('business_unit_memberships').where({ company_id: companyId, business_unit_id: businessUnitId });
    if (change.isPrimary) {
      await ofUnit()
        .where({ [flag]: true })
        .whereNot({ user_id: userId })
        .update({ [flag]: false, updated_at: trx.fn.now() });
    }
    const [row] = await ofUnit()
      .where({ user_id: userId })
      .update({ ...columnsOf(change), [flag]: change.isPrimary, updated_at: trx.fn.now() })
      .returning<BusinessUnitMembershipRow[]>('*');
    if (!row) throw new Error('The business-unit membership was not written.');
    return toBusinessUnitMembership(row);
  }
}

const columnsOf = ({ financeRole, approvalLimit }: FinanceChange) => ({
  finance_role: financeRole,
  approval_limit: approvalLimit,
});
