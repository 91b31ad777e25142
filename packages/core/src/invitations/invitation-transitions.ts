import type { AuditEvent, AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { KnownCompanyRepository } from '../companies/known-company-repository.js';
import type { Actor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Outbox } from '../mail/outbox.js';
import type { Transaction } from '../storage/database.js';
import type { InvitationRepository, NewInvitation } from './invitation-repository.js';
import { assertChangeable, companyNameOf, shownInviterName, type Invitation } from './invitation.js';

/** Limit of resends of one invitation within an hour. */
const HOURLY_RESENDS = 3;
/** Limit of invitations that one user creates within a day. */
const DAILY_CREATIONS = 100;

/** The actor and client of a change. */
export interface ChangedBy {
  actor: Actor;
  client: ClientInfo;
}

interface InvitationTransitionsDeps {
  readonly invitations: InvitationRepository;
  readonly knownCompanies: KnownCompanyRepository;
  readonly outbox: Outbox;
  readonly audit: AuditRepository;
  /** Lifetime of an open invitation in seconds. */
  readonly invitationTtl: number;
}

/**
 * Changes invitations until they are accepted, with mail and audit row, as part of a transaction. The caller
 * has checked the permission; the mail is sent when the outbox is woken after the commit.
 */
export class InvitationTransitions {
  readonly #deps: InvitationTransitionsDeps;

  constructor(deps: InvitationTransitionsDeps) {
    this.#deps = deps;
  }

  /**
   * Creates an invitation; the transaction holds the inviter's row.
   * @throws AuthError `conflict` when one is open already or the email is an active member's; `rate_limited` for the
   * 101st of an inviter within a day.
   */
  async create(
    wanted: Omit<NewInvitation, 'lifetime'>,
    by: ChangedBy,
    trx: Transaction,
  ): Promise<Invitation> {
    const { invitedByUserId } = wanted;
    assertNoWait(
      await this.#deps.invitations.createWait(invitedByUserId, DAILY_CREATIONS, trx),
      'invitations',
    );
    const created = await this.#deps.invitations.insert(
      { ...wanted, lifetime: this.#deps.invitationTtl },
      trx,
    );
    if (!created) throw alreadyThere();
    await this.#learnName(created, trx);
    await this.#enqueueMail(created, trx);
    await this.#record('invitation_created', created, by, trx);
    return created;
  }

  /**
   * Locks an invitation that can still be sent again or cancelled.
   * @throws AuthError `not_found`, `conflict` when it is closed.
   */
  async lockChangeable(id: string, companyId: string | undefined, trx: Transaction): Promise<Invitation> {
    const invitation = await this.#deps.invitations.lock(id, trx);
    if (!invitation) throw invitationNotFound();
    if (companyId !== undefined && invitation.companyId !== companyId) throw invitationNotFound();
    assertChangeable(invitation);
    return invitation;
  }

  /**
   * Sends a locked invitation again.
   * @throws AuthError `conflict` when a newer one is open or the email is a member's; `rate_limited` for the fourth time
   * within an hour.
   */
  async resend(invitation: Invitation, by: ChangedBy, trx: Transaction): Promise<Invitation> {
    const wait = await this.#deps.invitations.resendWait(invitation.id, HOURLY_RESENDS, trx);
    assertNoWait(wait, 'mails of this invitation');
    const renewed = await this.#deps.invitations.renew(invitation, this.#deps.invitationTtl, trx);
    if (!renewed) throw alreadyThere();
    await this.#enqueueMail(renewed, trx);
    await this.#record('invitation_resent', renewed, by, trx);
    return renewed;
  }

  /** Cancels a locked invitation. */
  async cancel(invitation: Invitation, by: ChangedBy, trx: Transaction): Promise<Invitation> {
    const cancelled = await this.#deps.invitations.cancel(invitation.id, trx);
    await this.#record('invitation_cancelled', cancelled, by, trx);
    return cancelled;
  }

  /** Cancels locked invitations that may no longer be offered. */
  async withdraw(
    invitations: readonly Invitation[],
    by: ChangedBy,
    trx: Transaction,
    reason: 'inviter_may_no_longer_offer' | 'role_removed' = 'inviter_may_no_longer_offer',
  ): Promise<void> {
    await this.#deps.invitations.cancelAll(
      invitations.map(({ id }) => id),
      trx,
    );
    const events = invitations.map((invitation) => {
      const { invitedByUserId } = invitation;
      const why = { reason, invitedByUserId };
      return eventOf('invitation_cancelled', invitation, by, why);
    });
    await this.#deps.audit.insertAll(events, trx);
  }

  async #learnName(invitation: Invitation, trx: Transaction): Promise<void> {
    const name = companyNameOf(invitation);
    const { companyId, invitedByUserId } = invitation;
    if (name === undefined) return;
    await this.#deps.knownCompanies.learnFromInvitation(companyId, { name, invitedByUserId }, trx);
  }

  async #enqueueMail(invitation: Invitation, trx: Transaction): Promise<void> {
    const { id, companyId, email, role, locale } = invitation;
    const entitled = await this.#deps.knownCompanies.entitledName(companyId, trx);
    const companyName = entitled ?? companyNameOf(invitation) ?? null;
    const inviterName = shownInviterName(await this.#deps.invitations.inviterName(id, trx));
    const payload = { invitationId: id, companyId, companyName, inviterName, role, locale };
    await this.#deps.outbox.enqueue(trx, { kind: 'invitation', recipient: email, payload });
  }

  async #record(
    event: AuditEventName,
    invitation: Invitation,
    by: ChangedBy,
    trx: Transaction,
  ): Promise<void> {
    await this.#deps.audit.insert(eventOf(event, invitation, by), trx);
  }
}

function eventOf(
  event: AuditEventName,
  { id: invitationId, companyId, role, moduleGrants, permissionGrants }: Invitation,
  { actor, client }: ChangedBy,
  why: Record<string, unknown> = {},
): AuditEvent {
  const details = { invitationId, role, moduleGrants, permissionGrants, ...why };
  return { event, outcome: 'success', actor, companyId, client, details };
}

/** Throws if there is a wait. @param seconds the wait; undefined when there is none. */
function assertNoWait(seconds: number | undefined, what: string): void {
  if (seconds === undefined) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(seconds));
  throw new AuthError('rate_limited', `Too many ${what}. Please try again later.`, {
    reason: 'invitation_limit_reached',
    retryAfterSeconds,
  });
}

export const invitationNotFound = (): AuthError =>
  AuthError.notFound('The invitation', 'invitation_not_found');

const alreadyThere = (): AuthError =>
  AuthError.conflict(
    'This email has an open invitation to the company, or is a member of it already.',
    'invited_or_member',
  );
