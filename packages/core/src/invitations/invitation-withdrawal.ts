import type { OpenInvitations, WithdrawalCause } from '../memberships/open-invitations.js';
import type { Transaction } from '../storage/database.js';
import type { InvitationRepository } from './invitation-repository.js';
import type { InvitationTransitions } from './invitation-transitions.js';
import { mayStillOffer } from './invitation.js';
import type { InviterRepository } from './inviter-repository.js';

interface InvitationWithdrawalDeps {
  readonly invitations: InvitationRepository;
  readonly inviters: InviterRepository;
  readonly transitions: InvitationTransitions;
}

/** Cancels invitations whose inviter may no longer offer them. */
export class InvitationWithdrawal implements OpenInvitations {
  readonly #deps: InvitationWithdrawalDeps;

  constructor(deps: InvitationWithdrawalDeps) {
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
}
