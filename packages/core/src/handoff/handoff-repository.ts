import type { Transaction } from '../storage/database.js';

/** What must still stand when a hand-off code is spent. */
export class HandoffRepository {
  /** Whether the session that made the code is live; it stays so until the transaction ends. */
  async holdLiveSession(sessionId: string, userId: string, trx: Transaction): Promise<boolean> {
    const rows = await trx('sessions')
      .where({ id: sessionId, user_id: userId, is_revoked: false })
      .whereRaw('expires_at > now()')
      .forShare()
      .select<{ id: string }[]>('id');
    return rows.length > 0;
  }

  /** Whether the user is an active member of the company; it stays so until the transaction ends. */
  async holdActiveMembership(userId: string, companyId: string, trx: Transaction): Promise<boolean> {
    const rows = await trx('company_memberships')
      .where({ user_id: userId, company_id: companyId, is_active: true })
      .forShare()
      .select<{ id: string }[]>('id');
    return rows.length > 0;
  }
}
