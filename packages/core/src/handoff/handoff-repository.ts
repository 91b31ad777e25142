import type { Transaction } from '../storage/database.js';

/** Checks the memberships on which a hand-off relies. */
export class HandoffRepository {
  /**
   * Reports whether the user is an active member of the company, and locks the membership until the
   * transaction ends.
   */
  async lockActiveMembership(userId: string, companyId: string, trx: Transaction): Promise<boolean> {
    const rows = await trx('company_memberships')
      .where({ user_id: userId, company_id: companyId, is_active: true })
      .forShare()
      .select<{ id: string }[]>('id');
    return rows.length > 0;
  }
}
