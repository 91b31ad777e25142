import type { z } from 'zod';
import type { AccessService } from '../access/access-service.js';
import type { KnownCompanyRepository } from '../companies/known-company-repository.js';
import type { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import { assertNotActing } from '../kernel/acting-party.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { checkPage, type PageInput } from '../kernel/page-input.js';
import { mapPage, type Page } from '../kernel/page.js';
import { digestOf } from '../kernel/secret.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Outbox } from '../mail/outbox.js';
import { assertRoleKnown } from '../memberships/known-role.js';
import type { MembershipWriteRepository } from '../memberships/membership-write-repository.js';
import { DEFAULT_ROLE } from '../memberships/membership-write.js';
import type { SignedInMember } from '../sessions/session.js';
import type { Database, Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import type { InvitationParties } from './invitation-parties.js';
import type { InvitationRepository } from './invitation-repository.js';
import {
  invitationInput,
  invitationTokenInput,
  toInvitationView,
  type InvitationInput,
  type InvitationPreview,
  type InvitationView,
} from './invitation-schema.js';
import { invitationNotFound, type ChangedBy, type InvitationTransitions } from './invitation-transitions.js';
import {
  assertChangeable,
  assertMayInvite,
  assertMayInviteAgain,
  assertMayOffer,
  assertOpen,
  companyNameOf,
  mayInvite,
  settleOffer,
  shownInviterName,
  type Invitation,
  type Inviter,
  type Offer,
} from './invitation.js';
import type { InviterRepository } from './inviter-repository.js';

interface InvitationServiceDeps {
  readonly database: Database;
  readonly invitations: InvitationRepository;
  readonly transitions: InvitationTransitions;
  readonly knownCompanies: Pick<KnownCompanyRepository, 'entitledName'>;
  readonly beforeHooks: BeforeHookRunner;
  readonly inviters: InviterRepository;
  readonly users: UserRepository;
  readonly access: Pick<AccessService, 'assertLevel'>;
  readonly outbox: Outbox;
  readonly membershipWrites: MembershipWriteRepository;
  /** True: a role that is offered must be known. */
  readonly strictRoles: boolean;
}

/**
 * Manages the invitations of a company for its inviters. Members have the level of sign-in that the company requires: else
 * every method throws `second_factor_required`, or `service_unavailable` while the requirement cannot be known. Platform staff
 * invite by their role. While an actor acts for the caller, invitations are read only: changes throw `forbidden`.
 */
export class InvitationService {
  readonly #deps: InvitationServiceDeps;

  constructor(deps: InvitationServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Invites an email to a company and queues the mail.
   * @throws AuthError `validation_error`, `forbidden` for a caller who may not invite, offers more than they
   * may give, or invites a former member whose membership they may not change; `conflict` when an invitation
   * is open already or the email is an active member's; `rate_limited` for more than 100 a day.
   */
  async create(
    caller: SignedInMember,
    companyId: string,
    input: InvitationInput,
    client: ClientInfo = unknownClient,
  ): Promise<InvitationView> {
    companyId = checkId(companyId, 'companyId');
    const checked = checkInput(invitationInput, input);
    assertNotActing(caller);
    const inviter = await this.#admit(caller, companyId);
    const offer = offerOf(inviter, checked);
    const { email, metadata, locale } = checked;
    const wanted = { ...offer, companyId, email, metadata, locale, invitedByUserId: caller.userId };
    await this.#deps.beforeHooks.invitation({ ...wanted, isResend: false }, client);
    const invitation = await this.#deps.database.transaction(async (trx) => {
      const known = await this.#deps.users.findByEmail(email, trx);
      const parties = await this.#deps.inviters.lock(companyId, [caller.userId, known?.id], trx);
      const current = parties.caller(caller.userId);
      assertMayOffer(current, offer);
      await assertRoleKnown({ companyId, role: offer.role }, this.#deps, trx);
      const invitee = parties.invitee(known?.id);
      if (invitee) assertMayInviteAgain(current, invitee, offer);
      return this.#deps.transitions.create(wanted, changedBy(caller, client), trx);
    });
    return toInvitationView(invitation);
  }

  /** Returns a page of the company's invitations, newest first. @throws AuthError `forbidden` */
  async list(caller: SignedInMember, companyId: string, page: PageInput = {}): Promise<Page<InvitationView>> {
    companyId = checkId(companyId, 'companyId');
    const slice = checkPage(page);
    await this.#admit(caller, companyId);
    return mapPage(await this.#deps.invitations.list(companyId, slice), toInvitationView);
  }

  /**
   * Returns one invitation, for inviters of its company and for the invited user.
   * @param companyId the company of the request, if it names one.
   * @throws AuthError `not_found`, for all other callers too.
   */
  async get(caller: SignedInMember, id: string, companyId?: string): Promise<InvitationView> {
    if (companyId !== undefined) companyId = checkId(companyId, 'companyId');
    const invitation = await this.#deps.invitations.find(checkId(id));
    if (!invitation || !isVisibleTo(caller, invitation)) throw invitationNotFound();
    if (companyId !== undefined && companyId !== invitation.companyId) throw invitationNotFound();
    if (!isInvitee(caller, invitation)) await this.#admit(caller, invitation.companyId);
    return toInvitationView(invitation);
  }

  /**
   * Sends an invitation again: the previous link stops working at once and the lifetime starts again.
   * @throws AuthError `forbidden`, also for an offer the caller could not make themselves; `not_found`;
   * `conflict` when it was accepted or cancelled, its inviter may no longer offer it, a newer one is open or
   * the email is an active member's; `rate_limited` for more than 3 an hour.
   */
  async resend(
    caller: SignedInMember,
    companyId: string,
    id: string,
    client: ClientInfo = unknownClient,
  ): Promise<InvitationView> {
    companyId = checkId(companyId, 'companyId');
    id = checkId(id);
    assertNotActing(caller);
    const inviter = await this.#admit(caller, companyId);
    if (this.#deps.beforeHooks.asksAboutInvitations)
      await this.#runResendHook(inviter, { companyId, id }, client);
    const renewed = await this.#change(caller, companyId, id, async (invitation, parties, trx) => {
      assertMayOffer(parties.caller(caller.userId), invitation);
      parties.assertStillOffered(invitation);
      return this.#deps.transitions.resend(invitation, changedBy(caller, client), trx);
    });
    return renewed;
  }

  /** Cancels an invitation. @throws AuthError `forbidden`, `not_found`, `conflict` when it is closed. */
  async cancel(
    caller: SignedInMember,
    companyId: string,
    id: string,
    client: ClientInfo = unknownClient,
  ): Promise<InvitationView> {
    companyId = checkId(companyId, 'companyId');
    id = checkId(id);
    assertNotActing(caller);
    await this.#admit(caller, companyId);
    return this.#change(caller, companyId, id, (invitation, _parties, trx) =>
      this.#deps.transitions.cancel(invitation, changedBy(caller, client), trx),
    );
  }

  /**
   * Returns the offer of the invitation of a token; changes nothing, however often it is called.
   * @throws AuthError `not_found` for a token that is unknown or was replaced, `conflict` when the invitation is
   * closed.
   */
  async preview(token: string): Promise<InvitationPreview> {
    const checked = checkInput(invitationTokenInput, { token });
    const invitation = await this.#deps.invitations.findByToken(digestOf(checked.token));
    if (!invitation) throw invitationNotFound();
    assertOpen(invitation);
    const { email, companyId, role, expiresAt } = invitation;
    const user = await this.#deps.users.findByEmail(email);
    return {
      email,
      companyId,
      companyName: (await this.#deps.knownCompanies.entitledName(companyId)) ?? companyNameOf(invitation),
      role,
      inviterName: shownInviterName(await this.#deps.invitations.inviterName(invitation.id)),
      expiresAt: expiresAt.toISOString(),
      userExists: user !== undefined,
    };
  }

  /**
   * Runs the hook before a resend, after the checks of the resend in the same order. The offer of an
   * invitation does not change.
   */
  async #runResendHook(
    inviter: Inviter,
    { companyId, id }: { companyId: string; id: string },
    client: ClientInfo,
  ): Promise<void> {
    const invitation = await this.#deps.invitations.find(id);
    if (invitation?.companyId !== companyId) throw invitationNotFound();
    assertChangeable(invitation);
    assertMayOffer(inviter, invitation);
    const { email, role, moduleGrants, permissionGrants, delegation, metadata, locale } = invitation;
    const offer = { role, moduleGrants, permissionGrants, delegation };
    const details = { metadata: metadata ?? undefined, locale: locale ?? undefined };
    const attempt = { email, companyId, ...offer, ...details, invitedByUserId: inviter.userId };
    await this.#deps.beforeHooks.invitation({ ...attempt, isResend: true }, client);
  }

  /**
   * Returns the caller as inviter, with the level that the company requires of members.
   * @throws AuthError `forbidden`, `second_factor_required`, `service_unavailable`.
   */
  async #admit(caller: SignedInMember, companyId: string): Promise<Inviter> {
    const inviter = inviterOf(caller, companyId);
    assertMayInvite(inviter);
    const actsByRole = mayInvite({ ...inviter, membership: undefined });
    if (!actsByRole) await this.#deps.access.assertLevel(caller, companyId);
    return inviter;
  }

  /** Changes an invitation that is not closed, under the locks of caller, inviter and invitation. */
  async #change(
    caller: SignedInMember,
    companyId: string,
    id: string,
    change: (invitation: Invitation, parties: InvitationParties, trx: Transaction) => Promise<Invitation>,
  ): Promise<InvitationView> {
    const changed = await this.#deps.database.transaction(async (trx) => {
      const found = await this.#deps.invitations.find(id, trx);
      const parties = await this.#deps.inviters.lock(companyId, [caller.userId, found?.invitedByUserId], trx);
      assertMayInvite(parties.caller(caller.userId));
      const invitation = await this.#deps.transitions.lockChangeable(id, companyId, trx);
      return change(invitation, parties, trx);
    });
    return toInvitationView(changed);
  }
}

/**
 * Returns the caller as inviter, from the check of their session: enough for reading, and for an early
 * rejection.
 */
const inviterOf = ({ userId, user, memberships }: SignedInMember, companyId: string): Inviter => ({
  userId,
  globalRole: user.globalRole,
  membership: memberships.companies.find((membership) => membership.companyId === companyId),
});

/** Returns the offer as it would be written. @throws AuthError `forbidden` */
function offerOf(inviter: Inviter, input: z.output<typeof invitationInput>): Offer {
  const offer = settleOffer(inviter, wantedOffer(input));
  assertMayOffer(inviter, offer);
  return offer;
}

const changedBy = ({ userId }: SignedInMember, client: ClientInfo): ChangedBy => ({
  actor: { kind: 'user', userId },
  client,
});

/** Reports whether the invitation is the caller's own: only a mailbox that was proved is theirs. */
const isInvitee = ({ user }: SignedInMember, { email }: Invitation): boolean =>
  user.emailVerifiedAt !== null && user.email === email;

const isVisibleTo = (caller: SignedInMember, invitation: Invitation): boolean =>
  isInvitee(caller, invitation) || mayInvite(inviterOf(caller, invitation.companyId));

const wantedOffer = ({
  role,
  moduleGrants,
  permissionGrants,
  delegation,
}: z.output<typeof invitationInput>) => ({
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
