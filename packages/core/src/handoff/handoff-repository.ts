import type { Transaction } from '../storage/database.js';

/** What must still stand when a hand-off code is spent. */
export class HandoffRepository {
  /** Whether the user is an active member of the company; it stays so until the transaction ends. */
  async holdActiveMembership(userId: string, companyId: string, trx: Transaction): Promise<boolean> {
    const rows = await trx('company_memberships')
      .where({ user_id: userId, company_id: companyId, is_active: true })
      .forShare()
      .select<{ id: string }[]>('id');
    return rows.length > 0;
  }
}
