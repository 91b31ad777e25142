import type { OpenInvitations, WithdrawalCause } from '../memberships/open-invitations.js';
import type { Transaction } from '../storage/database.js';
import type { InvitationRepository } from './invitation-repository.js';
import type { InvitationTransitions } from './invitation-transitions.js';
import { mayStillOffer } from './invitation.js';
import type { InviterRepository } from './inviter-repository.js';

/** Takes back what somebody has offered who may no longer offer it. */
export class InvitationWithdrawal implements OpenInvitations {
  readonly #invitations: InvitationRepository;
  readonly #inviters: InviterRepository;
  readonly #transitions: InvitationTransitions;

  constructor(parts: {
    invitations: InvitationRepository;
    inviters: InviterRepository;
    transitions: InvitationTransitions;
  }) {
    this.#invitations = parts.invitations;
    this.#inviters = parts.inviters;
    this.#transitions = parts.transitions;
  }

  async withdraw(inviterId: string, cause: WithdrawalCause, trx: Transaction): Promise<void> {
    const open = await this.#invitations.lockOpenOf(inviterId, trx);
    if (open.length === 0) return;
    const inviterIn = await this.#inviters.everywhere(inviterId, trx);
    const withdrawn = open.filter(
      (invitation) => !mayStillOffer(inviterIn(invitation.companyId), invitation),
    );
    if (withdrawn.length > 0) await this.#transitions.withdraw(withdrawn, cause, trx);
  }
}
