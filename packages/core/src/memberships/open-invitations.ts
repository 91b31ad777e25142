import type { Actor } from '../kernel/actor.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Transaction } from '../storage/database.js';

/** The change that took something away from an inviter, and its company if it was in one. */
export interface WithdrawalCause {
  actor: Actor;
  client: ClientInfo;
}

/** The open invitations of a user, for those who change what the user may offer. */
export interface OpenInvitations {
  /**
   * Cancels the invitations that the user has made and may no longer offer, as the transaction sees the user now. The
   * transaction holds the user's row.
   */
  withdraw(inviterId: string, cause: WithdrawalCause, trx: Transaction): Promise<void>;
}
