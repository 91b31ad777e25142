import type { Transaction } from '../storage/database.js';
import {
  toBusinessUnitMembership,
  toMembershipState,
  type BusinessUnitMembershipRow,
  type MembershipStateRow,
} from './membership-row.js';
import type {
  BusinessUnitMembership,
  BusinessUnitMembershipKey,
  FinanceRole,
  MembershipState,
} from './membership.js';

/** Fields that a finance write sets; omitted ones stay. */
export interface FinanceChange {
  financeRole?: FinanceRole | null | undefined;
  approvalLimit?: string | null | undefined;
  isPrimary?: boolean | undefined;
}

/** A company, or one of its business units: each has at most one primary. */
export type FinanceScope = Pick<BusinessUnitMembershipKey, 'companyId'> & {
  businessUnitId?: string | undefined;
};

/** Memberships for the finance workflow, locked until the transaction ends. */
export interface LockedMemberships {
  /** By user. */
  memberships: Map<string, MembershipState>;
  /** The user who is the company's Primary Finance Admin. */
  primaryUserId: string | undefined;
}

/**
 * Reads and writes the finance columns. A move of the primary takes the lock of its scope before any row, so
 * that moves within one scope run one after the other; rows are locked in the order of their ids. A unique
 * index allows one primary.
 */
export class FinanceRepository {
  /** Locks a scope until the transaction ends. */
  async lockScope({ companyId, businessUnitId = '' }: FinanceScope, trx: Transaction): Promise<void> {
    await trx.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [
      `finance:${companyId}:${businessUnitId}`,
    ]);
  }

  /** Locks the memberships of these users in the company and that of its primary. */
  async lockCompany(
    companyId: string,
    userIds: readonly string[],
    trx: Transaction,
  ): Promise<LockedMemberships> {
    const rows = await trx('company_memberships')
      .where({ company_id: companyId })
      .where((either) => void either.whereIn('user_id', userIds).orWhere('is_primary_finance_admin', true))
      .orderBy('id')
      .forUpdate()
      .select<MembershipStateRow[]>('*');
    return {
      memberships: new Map(rows.map((row) => [row.user_id, toMembershipState(row)])),
      primaryUserId: rows.find((row) => row.is_primary_finance_admin)?.user_id,
    };
  }

  /** Locks the user's membership of the business unit and that of its primary approver. */
  async lockBusinessUnit(
    { userId, companyId, businessUnitId }: BusinessUnitMembershipKey,
    trx: Transaction,
  ): Promise<{ membership: BusinessUnitMembership | undefined; primaryUserId: string | undefined }> {
    const rows = await trx('business_unit_memberships')
      .where({ company_id: companyId, business_unit_id: businessUnitId })
      .where((either) => void either.where('user_id', userId).orWhere('is_primary_approver', true))
      .orderBy('id')
      .forUpdate()
      .select<BusinessUnitMembershipRow[]>('*');
    const row = rows.find((one) => one.user_id === userId);
    return {
      membership: row && toBusinessUnitMembership(row),
      primaryUserId: rows.find((one) => one.is_primary_approver)?.user_id,
    };
  }

  /** Changes the user's membership of the company; a new primary takes the flag from the previous one. */
  async updateCompany(
    { userId, companyId }: Pick<BusinessUnitMembershipKey, 'userId' | 'companyId'>,
    change: FinanceChange,
    trx: Transaction,
  ): Promise<void> {
    const scope = { company_id: companyId };
    const target = { table: 'company_memberships', flag: 'is_primary_finance_admin', scope, userId };
    await this.#update(target, change, trx);
  }

  /** Changes the user's membership of a business unit; a new primary takes the flag from the previous one. */
  async updateBusinessUnit(
    { userId, companyId, businessUnitId }: BusinessUnitMembershipKey,
    change: FinanceChange,
    trx: Transaction,
  ): Promise<BusinessUnitMembership> {
    const scope = { company_id: companyId, business_unit_id: businessUnitId };
    const target = { table: 'business_unit_memberships', flag: 'is_primary_approver', scope, userId };
    await this.#update(target, change, trx);
    const [row] = await trx('business_unit_memberships')
      .where({ ...scope, user_id: userId })
      .select<BusinessUnitMembershipRow[]>('*');
    if (!row) throw new Error('The business-unit membership is gone.');
    return toBusinessUnitMembership(row);
  }

  async #update(
    { table, flag, scope, userId }: UpdateTarget,
    { financeRole, approvalLimit, isPrimary }: FinanceChange,
    trx: Transaction,
  ): Promise<void> {
    const updated_at = trx.raw('now()');
    if (isPrimary) {
      const others = trx(table).where({ ...scope, [flag]: true });
      await others.whereNot({ user_id: userId }).update({ [flag]: false, updated_at });
    }
    await trx(table)
      .where({ ...scope, user_id: userId })
      .update({ finance_role: financeRole, approval_limit: approvalLimit, [flag]: isPrimary, updated_at });
  }
}

/** The row that is updated: table, scope and user, and the column that marks the primary of the scope. */
interface UpdateTarget {
  table: string;
  flag: string;
  scope: Record<string, string>;
  userId: string;
}
