import type { TrustedActor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { prefixOf } from '../kernel/id-prefix.js';
import { checkGrowingPage, type GrowingPageInput } from '../kernel/page-input.js';
import { mapPage, type Page } from '../kernel/page.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Outbox } from '../mail/outbox.js';
import type { Database, Transaction } from '../storage/database.js';
import type { InvitationParties } from './invitation-parties.js';
import type { InvitationQueries } from './invitation-queries.js';
import type { InvitationRepository } from './invitation-repository.js';
import {
  invitationFilter,
  toInvitationView,
  type InvitationFilter,
  type InvitationView,
} from './invitation-schema.js';
import { invitationNotFound, type ChangedBy, type InvitationTransitions } from './invitation-transitions.js';
import type { Invitation } from './invitation.js';
import type { InviterRepository } from './inviter-repository.js';

/** A change of a locked invitation. */
type Change = (
  locked: { invitation: Invitation; parties: InvitationParties },
  by: ChangedBy,
  trx: Transaction,
) => Promise<Invitation>;

interface InvitationAdministrationDeps {
  readonly database: Database;
  readonly invitationQueries: InvitationQueries;
  readonly invitations: InvitationRepository;
  readonly inviters: InviterRepository;
  readonly transitions: InvitationTransitions;
  readonly outbox: Outbox;
}

/**
 * Manages the invitations of all companies for trusted actors. States, locks and audit rows are those of
 * `InvitationService`; an offer is checked against the rights of its inviter, not against those of the
 * operator.
 */
export class InvitationAdministration {
  readonly #deps: InvitationAdministrationDeps;

  constructor(deps: InvitationAdministrationDeps) {
    this.#deps = deps;
  }

  /** Returns invitations of every company, newest first. */
  async list(filter: InvitationFilter = {}, page: GrowingPageInput = {}): Promise<Page<InvitationView>> {
    const wanted = checkInput(invitationFilter.strict(), filter, 'query');
    return mapPage(await this.#deps.invitationQueries.list(wanted, checkGrowingPage(page)), toInvitationView);
  }

  /**
   * Returns the invitations of an id or of the prefix of one, at most `limit`.
   * @throws AuthError `validation_error` for fewer than 4 characters.
   */
  async findByPrefix(text: string, limit: number): Promise<InvitationView[]> {
    return (await this.#deps.invitationQueries.findByPrefix(prefixOf(text), limit)).map(toInvitationView);
  }

  /**
   * Sends an invitation again: the previous link stops working at once and the lifetime starts again.
   * @throws AuthError `not_found`; `conflict` when it was accepted or cancelled, its inviter may no longer
   * offer it, a newer one is open or the email is an active member's, and where no mail is delivered: the
   * previous link would be lost for nothing; `rate_limited` for more than 3 an hour.
   */
  async resend(actor: TrustedActor, id: string, client: ClientInfo = unknownClient): Promise<InvitationView> {
    if (!this.#deps.outbox.delivers)
      throw AuthError.conflict('No mail is delivered. Set SMTP_URL and MAIL_FROM.', 'mail_not_configured');
    const change: Change = async ({ invitation, parties }, by, trx) => {
      parties.assertStillOffered(invitation);
      return this.#deps.transitions.resend(invitation, by, trx);
    };
    const renewed = await this.#change(id, { actor, client }, change);
    return renewed;
  }

  /** Cancels an invitation. @throws AuthError `not_found`, `conflict` when it is closed. */
  async cancel(actor: TrustedActor, id: string, client: ClientInfo = unknownClient): Promise<InvitationView> {
    const change: Change = ({ invitation }, by, trx) => this.#deps.transitions.cancel(invitation, by, trx);
    return this.#change(id, { actor, client }, change);
  }

  async #change(id: string, by: ChangedBy, change: Change): Promise<InvitationView> {
    id = checkId(id);
    const changed = await this.#deps.database.transaction(async (trx) => {
      const found = await this.#deps.invitations.find(id, trx);
      if (!found) throw invitationNotFound();
      const { companyId, invitedByUserId } = found;
      const parties = await this.#deps.inviters.lock(companyId, [invitedByUserId], trx);
      const invitation = await this.#deps.transitions.lockChangeable(id, undefined, trx);
      return change({ invitation, parties }, by, trx);
    });
    return toInvitationView(changed);
  }
}
