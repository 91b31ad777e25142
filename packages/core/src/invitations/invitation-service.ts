import type { AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Page, PageRequest } from '../kernel/page.js';
import { digestOf } from '../kernel/secret.js';
import type { Outbox } from '../mail/outbox.js';
import type { SignedInMember } from '../sessions/session.js';
import type { Database, Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import {
  companyNameOf,
  assertChangeable,
  assertMayInvite,
  assertMayOffer,
  assertOpen,
  DEFAULT_ROLE,
  mayInvite,
  settleOffer,
  type Invitation,
  type Inviter,
} from './invitation.js';
import type { InvitationRepository } from './invitation-repository.js';
import {
  toInvitationView,
  type InvitationInput,
  type InvitationPreview,
  type InvitationView,
} from './invitation-schema.js';
import type { InviterRepository } from './inviter-repository.js';

/** A company's invitations, for those who may invite. */
export class InvitationService {
  readonly #database: Database;
  readonly #invitations: InvitationRepository;
  readonly #inviters: InviterRepository;
  readonly #users: UserRepository;
  readonly #outbox: Outbox;
  readonly #audit: AuditRepository;
  readonly #ttl: number;

  /** @param options `ttl`: seconds an invitation stays open. */
  constructor(
    parts: {
      database: Database;
      invitations: InvitationRepository;
      inviters: InviterRepository;
      users: UserRepository;
      outbox: Outbox;
      audit: AuditRepository;
    },
    options: { ttl: number },
  ) {
    this.#database = parts.database;
    this.#invitations = parts.invitations;
    this.#inviters = parts.inviters;
    this.#users = parts.users;
    this.#outbox = parts.outbox;
    this.#audit = parts.audit;
    this.#ttl = options.ttl;
  }

  /**
   * Invites an email to a company and queues the mail.
   * @throws AuthError `forbidden` for who may not invite or offers more than they may give, `conflict` when an
   * invitation is open already or the email is an active member's.
   */
  async create(
    caller: SignedInMember,
    companyId: string,
    input: InvitationInput,
    client: ClientInfo,
  ): Promise<InvitationView> {
    assertMayInvite(inviterOf(caller, companyId));
    const invitation = await this.#database.transaction(async (trx) => {
      const inviter = await this.#inviters.lock(caller.userId, companyId, trx);
      const offer = settleOffer(inviter, wantedOffer(input));
      assertMayOffer(inviter, offer);
      const { email, metadata } = input;
      const created = await this.#invitations.insert(
        { ...offer, companyId, email, metadata, invitedByUserId: caller.userId, lifetime: this.#ttl },
        trx,
      );
      if (!created) throw alreadyThere();
      await this.#enqueueMail(created, trx);
      await this.#record('invitation_created', { caller, invitation: created, client }, trx);
      return created;
    });
    this.#outbox.wake();
    return toInvitationView(invitation);
  }

  /** Newest first. @throws AuthError `forbidden` */
  async list(caller: SignedInMember, companyId: string, page: PageRequest): Promise<Page<InvitationView>> {
    assertMayInvite(inviterOf(caller, companyId));
    const { items, total } = await this.#invitations.list(companyId, page);
    return { items: items.map(toInvitationView), total };
  }

  /**
   * One invitation, for those who may manage the company's and for the invited user.
   * @param companyId the company asked about, when the caller names one.
   * @throws AuthError `not_found`, for everybody else too.
   */
  async get(caller: SignedInMember, id: string, companyId: string | undefined): Promise<InvitationView> {
    const invitation = await this.#invitations.find(id);
    if (!invitation || !isVisibleTo(caller, invitation)) throw invitationNotFound();
    if (companyId !== undefined && companyId !== invitation.companyId) throw invitationNotFound();
    return toInvitationView(invitation);
  }

  /**
   * Sends an invitation anew: the link that is out stops working at once and the time runs from now.
   * @throws AuthError `forbidden`, also for an offer the caller could not make themselves; `not_found`; `conflict` when
   * it was accepted or cancelled, a newer one is open or the email is an active member's.
   */
  async resend(
    caller: SignedInMember,
    companyId: string,
    id: string,
    client: ClientInfo,
  ): Promise<InvitationView> {
    const renewed = await this.#change(caller, companyId, id, async (invitation, inviter, trx) => {
      assertMayOffer(inviter, invitation);
      const renewed = await this.#invitations.renew(invitation, this.#ttl, trx);
      if (!renewed) throw alreadyThere();
      await this.#enqueueMail(renewed, trx);
      await this.#record('invitation_resent', { caller, invitation: renewed, client }, trx);
      return renewed;
    });
    this.#outbox.wake();
    return renewed;
  }

  /** Takes an invitation back. @throws AuthError `forbidden`, `not_found`, `conflict` when it is closed. */
  async cancel(
    caller: SignedInMember,
    companyId: string,
    id: string,
    client: ClientInfo,
  ): Promise<InvitationView> {
    return this.#change(caller, companyId, id, async (invitation, _inviter, trx) => {
      const cancelled = await this.#invitations.cancel(invitation.id, trx);
      await this.#record('invitation_cancelled', { caller, invitation: cancelled, client }, trx);
      return cancelled;
    });
  }

  /**
   * What a token's invitation offers; changes nothing, however often it is asked.
   * @throws AuthError `not_found` for a token that is unknown or was replaced, `conflict` when the invitation is closed.
   */
  async preview(token: string): Promise<InvitationPreview> {
    const invitation = await this.#invitations.findByToken(digestOf(token));
    if (!invitation) throw invitationNotFound();
    assertOpen(invitation);
    const { email, companyId, role, expiresAt } = invitation;
    const user = await this.#users.findByEmail(email);
    return {
      email,
      companyId,
      companyName: companyNameOf(invitation),
      role,
      expiresAt: expiresAt.toISOString(),
      userExists: user !== undefined,
    };
  }

  /** One change of an invitation that is not closed, under the locks of inviter and invitation. */
  async #change(
    caller: SignedInMember,
    companyId: string,
    id: string,
    change: (invitation: Invitation, inviter: Inviter, trx: Transaction) => Promise<Invitation>,
  ): Promise<InvitationView> {
    assertMayInvite(inviterOf(caller, companyId));
    const changed = await this.#database.transaction(async (trx) => {
      const inviter = await this.#inviters.lock(caller.userId, companyId, trx);
      assertMayInvite(inviter);
      const invitation = await this.#invitations.lock(id, trx);
      if (invitation?.companyId !== companyId) throw invitationNotFound();
      assertChangeable(invitation);
      return change(invitation, inviter, trx);
    });
    return toInvitationView(changed);
  }

  async #enqueueMail(invitation: Invitation, trx: Transaction): Promise<void> {
    const { id, companyId, email } = invitation;
    const payload = { invitationId: id, companyId, companyName: companyNameOf(invitation) ?? null };
    await this.#outbox.enqueue(trx, { kind: 'invitation', recipient: email, payload });
  }

  async #record(
    event: AuditEventName,
    about: { caller: SignedInMember; invitation: Invitation; client: ClientInfo },
    trx: Transaction,
  ): Promise<void> {
    const { caller, invitation, client } = about;
    const { id: invitationId, companyId, role, moduleGrants, permissionGrants } = invitation;
    await this.#audit.insert(
      {
        event,
        outcome: 'success',
        actor: { kind: 'user', userId: caller.userId },
        companyId,
        client,
        details: { invitationId, role, moduleGrants, permissionGrants },
      },
      trx,
    );
  }
}

export const invitationNotFound = (): AuthError => AuthError.notFound('The invitation');

const alreadyThere = (): AuthError =>
  AuthError.conflict('This email has an open invitation to the company, or is a member of it already.');

/** The caller's standing as the check of their session saw it: enough for reading, and for an early no. */
const inviterOf = ({ user, memberships }: SignedInMember, companyId: string): Inviter => ({
  globalRole: user.globalRole,
  membership: memberships.companies.find((membership) => membership.companyId === companyId),
});

const isVisibleTo = (caller: SignedInMember, { email, companyId }: Invitation): boolean =>
  email === caller.user.email || mayInvite(inviterOf(caller, companyId));

const wantedOffer = ({ role, moduleGrants, permissionGrants, delegation }: InvitationInput) => ({
  role: role ?? DEFAULT_ROLE,
  moduleGrants,
  permissionGrants: permissionGrants ?? [],
  delegation: {
    canManageUsers: delegation?.canManageUsers ?? false,
    canBuyAddons: delegation?.canBuyAddons ?? false,
    grantableModules: delegation?.grantableModules ?? [],
    grantablePermissions: delegation?.grantablePermissions ?? [],
  },
});
