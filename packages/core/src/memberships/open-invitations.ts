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

  /**
   * Does the same for the invitations that offer one of these roles, or whose inviter has one. The transaction has locked the
   * roles. @param companyId null for every company.
   */
  withdrawOfRoles(
    roles: { companyId: string | null; keys: readonly string[] },
    cause: WithdrawalCause,
    trx: Transaction,
  ): Promise<void>;

  /**
   * Gives open invitations that offer a role another one, or cancels them without `moveTo`: without a definition of the role they
   * would offer more.
   */
  leaveRole(
    role: { companyId: string | null; key: string; moveTo: string | undefined },
    cause: WithdrawalCause,
    trx: Transaction,
  ): Promise<void>;
}
