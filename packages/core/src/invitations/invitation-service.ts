import type { ClientInfo } from '../kernel/client-info.js';
import type { Page, PageRequest } from '../kernel/page.js';
import { digestOf } from '../kernel/secret.js';
import type { Outbox } from '../mail/outbox.js';
import type { SignedInMember } from '../sessions/session.js';
import type { Database, Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import {
  assertMayInvite,
  assertMayOffer,
  assertOpen,
  companyNameOf,
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
import { invitationNotFound, type ChangedBy, type InvitationTransitions } from './invitation-transitions.js';
import type { InviterRepository } from './inviter-repository.js';

/** A company's invitations, for those who may invite. */
export class InvitationService {
  readonly #database: Database;
  readonly #invitations: InvitationRepository;
  readonly #transitions: InvitationTransitions;
  readonly #inviters: InviterRepository;
  readonly #users: UserRepository;
  readonly #outbox: Outbox;

  constructor(parts: {
    database: Database;
    invitations: InvitationRepository;
    transitions: InvitationTransitions;
    inviters: InviterRepository;
    users: UserRepository;
    outbox: Outbox;
  }) {
    this.#database = parts.database;
    this.#invitations = parts.invitations;
    this.#transitions = parts.transitions;
    this.#inviters = parts.inviters;
    this.#users = parts.users;
    this.#outbox = parts.outbox;
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
      const wanted = { ...offer, companyId, email, metadata, invitedByUserId: caller.userId };
      return this.#transitions.create(wanted, changedBy(caller, client), trx);
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
      return this.#transitions.resend(invitation, changedBy(caller, client), trx);
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
    return this.#change(caller, companyId, id, (invitation, _inviter, trx) =>
      this.#transitions.cancel(invitation, changedBy(caller, client), trx),
    );
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
      const invitation = await this.#transitions.lockChangeable(id, companyId, trx);
      return change(invitation, inviter, trx);
    });
    return toInvitationView(changed);
  }
}

/** The caller's standing as the check of their session saw it: enough for reading, and for an early no. */
const inviterOf = ({ user, memberships }: SignedInMember, companyId: string): Inviter => ({
  globalRole: user.globalRole,
  membership: memberships.companies.find((membership) => membership.companyId === companyId),
});

const changedBy = ({ userId }: SignedInMember, client: ClientInfo): ChangedBy => ({
  actor: { kind: 'user', userId },
  client,
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
