import type { OpenInvitations, WithdrawalCause } from '../memberships/open-invitations.js';
import type { Transaction } from '../storage/database.js';
import type { InvitationRepository } from './invitation-repository.js';
import type { InvitationTransitions } from './invitation-transitions.js';
import { mayStillOffer } from './invitation.js';
import type { InviterRepository } from './inviter-repository.js';

/** Cancels invitations whose inviter may no longer offer them. */
export class InvitationWithdrawal implements OpenInvitations {
  readonly #deps;

  constructor(deps: {
    readonly invitations: InvitationRepository;
    readonly inviters: InviterRepository;
    readonly transitions: InvitationTransitions;
  }) {
    this.#deps = deps;
  }

  async withdraw(inviterId: string, cause: WithdrawalCause, trx: Transaction): Promise<void> {
    const open = await this.#deps.invitations.lockOpenOf(inviterId, trx);
    if (open.length === 0) return;
    const inviterIn = await this.#deps.inviters.everywhere(inviterId, trx);
    const withdrawn = open.filter(
      (invitation) => !mayStillOffer(inviterIn(invitation.companyId), invitation),
    );
    if (withdrawn.length > 0) await this.#deps.transitions.withdraw(withdrawn, cause, trx);
  }

  async withdrawOfRoles(
    { companyId, keys }: { companyId: string | null; keys: readonly string[] },
    cause: WithdrawalCause,
    trx: Transaction,
  ): Promise<void> {
    const open = await this.#deps.invitations.lockOpenOfRoles(companyId, keys, trx);
    const inviterIds = open.flatMap(({ invitedByUserId }) => invitedByUserId ?? []);
    if (inviterIds.length === 0) return;
    const inviterIn = await this.#deps.inviters.unlocked([...new Set(inviterIds)], trx);
    const withdrawn = open.filter(
      (invitation) =>
        !mayStillOffer(inviterIn(invitation.invitedByUserId ?? '', invitation.companyId), invitation),
    );
    if (withdrawn.length > 0) await this.#deps.transitions.withdraw(withdrawn, cause, trx);
  }

  async leaveRole(
    { companyId, key, moveTo }: { companyId: string | null; key: string; moveTo: string | undefined },
    cause: WithdrawalCause,
    trx: Transaction,
  ): Promise<void> {
    const open = await this.#deps.invitations.lockOpenWithRole(companyId, key, trx);
    if (open.length === 0) return;
    if (moveTo === undefined) await this.#deps.transitions.withdraw(open, cause, trx, 'role_removed');
    else
      await this.#deps.invitations.offerRole(
        open.map(({ id }) => id),
        moveTo,
        trx,
      );
  }
}
