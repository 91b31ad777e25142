import type { AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { Actor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Outbox } from '../mail/outbox.js';
import type { Transaction } from '../storage/database.js';
import { assertChangeable, companyNameOf, type Invitation } from './invitation.js';
import type { InvitationRepository, NewInvitation } from './invitation-repository.js';

/** Who changes an invitation, and from where. */
export interface ChangedBy {
  actor: Actor;
  client: ClientInfo;
}

/**
 * What can become of an invitation until it is accepted, with mail and audit row, as part of a transaction. Who may do
 * it is decided before; the mail leaves when the outbox is woken after the commit.
 */
export class InvitationTransitions {
  readonly #invitations: InvitationRepository;
  readonly #outbox: Outbox;
  readonly #audit: AuditRepository;
  readonly #ttl: number;

  /** @param options `ttl`: seconds an invitation stays open. */
  constructor(
    parts: { invitations: InvitationRepository; outbox: Outbox; audit: AuditRepository },
    options: { ttl: number },
  ) {
    this.#invitations = parts.invitations;
    this.#outbox = parts.outbox;
    this.#audit = parts.audit;
    this.#ttl = options.ttl;
  }

  /** @throws AuthError `conflict` when one is open already or the email is an active member's. */
  async create(
    wanted: Omit<NewInvitation, 'lifetime'>,
    by: ChangedBy,
    trx: Transaction,
  ): Promise<Invitation> {
    const created = await this.#invitations.insert({ ...wanted, lifetime: this.#ttl }, trx);
    if (!created) throw alreadyThere();
    await this.#enqueueMail(created, trx);
    await this.#record('invitation_created', created, by, trx);
    return created;
  }

  /**
   * Locks an invitation that can still be sent anew or cancelled.
   * @throws AuthError `not_found`, `conflict` when it is closed.
   */
  async lockChangeable(id: string, companyId: string | undefined, trx: Transaction): Promise<Invitation> {
    const invitation = await this.#invitations.lock(id, trx);
    if (!invitation) throw invitationNotFound();
    if (companyId !== undefined && invitation.companyId !== companyId) throw invitationNotFound();
    assertChangeable(invitation);
    return invitation;
  }

  /** Sends a locked one anew. @throws AuthError `conflict` when a newer one is open or the email is a member's. */
  async resend(invitation: Invitation, by: ChangedBy, trx: Transaction): Promise<Invitation> {
    const renewed = await this.#invitations.renew(invitation, this.#ttl, trx);
    if (!renewed) throw alreadyThere();
    await this.#enqueueMail(renewed, trx);
    await this.#record('invitation_resent', renewed, by, trx);
    return renewed;
  }

  /** Takes a locked one back. */
  async cancel(invitation: Invitation, by: ChangedBy, trx: Transaction): Promise<Invitation> {
    const cancelled = await this.#invitations.cancel(invitation.id, trx);
    await this.#record('invitation_cancelled', cancelled, by, trx);
    return cancelled;
  }

  async #enqueueMail(invitation: Invitation, trx: Transaction): Promise<void> {
    const { id, companyId, email } = invitation;
    const payload = { invitationId: id, companyId, companyName: companyNameOf(invitation) ?? null };
    await this.#outbox.enqueue(trx, { kind: 'invitation', recipient: email, payload });
  }

  async #record(
    event: AuditEventName,
    { id: invitationId, companyId, role, moduleGrants, permissionGrants }: Invitation,
    { actor, client }: ChangedBy,
    trx: Transaction,
  ): Promise<void> {
    const details = { invitationId, role, moduleGrants, permissionGrants };
    await this.#audit.insert({ event, outcome: 'success', actor, companyId, client, details }, trx);
  }
}

export const invitationNotFound = (): AuthError => AuthError.notFound('The invitation');

const alreadyThere = (): AuthError =>
  AuthError.conflict('This email has an open invitation to the company, or is a member of it already.');
