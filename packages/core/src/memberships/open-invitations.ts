import type { Actor } from '../kernel/actor.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Transaction } from '../storage/database.js';

/** The actor and client of a change that took rights from an inviter. */
export interface WithdrawalCause {
  actor: Actor;
  client: ClientInfo;
}

/** Access to the open invitations of a user, for services that change what the user may offer. */
export interface OpenInvitations {
  /**
   * Cancels the invitations that the user has made and may no longer offer, by the state that the transaction
   * sees. The transaction holds the user's row.
   */
  withdraw(inviterId: string, cause: WithdrawalCause, trx: Transaction): Promise<void>;
}
