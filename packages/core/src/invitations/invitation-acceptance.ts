import type { AuditRepository } from '../audit/audit-repository.js';
import type { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import { assertNotActing } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInputAlongside } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { newId } from '../kernel/id.js';
import type { Observer } from '../kernel/observer.js';
import { digestOf } from '../kernel/secret.js';
import { fieldError } from '../kernel/validation-error.js';
import type { MembershipWriteRepository } from '../memberships/membership-write-repository.js';
import { authorityDetails } from '../memberships/own-authority.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import { reportSignIn } from '../sessions/report-sign-in.js';
import type { SignedInUser } from '../sessions/session.js';
import type { SignInCompleter } from '../sessions/sign-in-completer.js';
import type { Database, Transaction } from '../storage/database.js';
import { PASSWORD_METHODS } from '../tokens/authentication-methods.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { NewUser, UserRepository } from '../users/user-repository.js';
import { assertMaySignIn, type User } from '../users/user.js';
import type { InvitationRepository } from './invitation-repository.js';
import {
  acceptInvitationInput,
  toInvitationView,
  type AcceptedInvitation,
  type AcceptInvitationInput,
} from './invitation-schema.js';
import { invitationNotFound } from './invitation-transitions.js';
import { assertOpen, type Invitation } from './invitation.js';
import type { InviterRepository } from './inviter-repository.js';

interface InvitationAcceptanceDeps {
  readonly database: Database;
  readonly invitations: InvitationRepository;
  readonly inviters: InviterRepository;
  readonly membershipWrites: MembershipWriteRepository;
  readonly users: UserRepository;
  readonly signInPolicy: SignInPolicy;
  readonly passwords: PasswordHasher;
  readonly policy: PasswordPolicy;
  readonly beforeHooks: BeforeHookRunner;
  readonly signInCompleter: SignInCompleter;
  readonly audit: AuditRepository;
  readonly observer: Observer;
}

/**
 * Accepts invitations: the token proves the mailbox. Of simultaneous calls one succeeds, because all writes
 * happen under the lock of the invitation's row. Locks are taken in the order of every write: users,
 * memberships, the invitation, sessions.
 */
export class InvitationAcceptance {
  readonly #deps: InvitationAcceptanceDeps;

  constructor(deps: InvitationAcceptanceDeps) {
    this.#deps = deps;
  }

  /**
   * Makes the invited person a member: a new user with the password they choose, signed in at once
   * unless a second factor is required; an existing user as they are, with their password unchanged and no tokens issued.
   * @param caller the signed-in user, if any: it must be the invited user.
   * @throws AuthError `not_found` for a token that is unknown or was replaced; `conflict` when the invitation
   * is closed, its inviter may no longer offer it, the user is a member already, or the mailbox of the account
   * was never proved and the caller is not signed in; `forbidden` for another caller, and while an actor acts for them; the
   * sign-in codes for a user who may not sign in; `validation_error` for a new user without a password, or one that breaks the
   * policy: the invitation stays open.
   */
  async accept(
    input: AcceptInvitationInput,
    caller?: SignedInUser,
    client: ClientInfo = unknownClient,
  ): Promise<AcceptedInvitation> {
    const { token, ...person } = await checkInputAlongside(acceptInvitationInput, input, () =>
      this.#deps.policy.faultsIn(input),
    );
    if (caller) assertNotActing(caller);
    const tokenDigest = digestOf(token);
    const invitation = await this.#deps.invitations.findByToken(tokenDigest);
    if (!invitation) throw invitationNotFound();
    assertOpen(invitation);
    if (caller && caller.user.email !== invitation.email) {
      throw AuthError.forbidden('This invitation is for another user.', 'invitation_for_other_user');
    }
    const user = await this.#deps.users.findByEmail(invitation.email);
    if (user) return this.#acceptAsUser({ userId: user.id, tokenDigest, invitation }, caller, client);
    return reportSignIn(this.#acceptAsNewUser(invitation, { ...person, tokenDigest }, client), (outcome) =>
      this.#deps.observer.signIn('invitation', outcome),
    );
  }

  async #acceptAsUser(
    { userId, tokenDigest, invitation: found }: Acceptance,
    caller: SignedInUser | undefined,
    client: ClientInfo,
  ): Promise<AcceptedInvitation> {
    const accepted = await this.#deps.database.transaction(async (trx) => {
      const parties = await this.#deps.inviters.lock(found.companyId, [userId, found.invitedByUserId], trx);
      const invitation = await this.#lockOpen(tokenDigest, trx);
      const user = parties.user(userId);
      // Another user may have got the address since it was looked up.
      if (user?.email !== invitation.email) throw changedMeanwhile();
      // An access token and the link together prove account and mailbox, even where a sign-in needs an earlier proof.
      if (caller?.userId === user.id) assertMaySignIn(user);
      else this.#deps.signInPolicy.assertMaySignIn(user);
      parties.assertStillOffered(invitation, userId);
      assertMailboxProved(user, caller);
      await this.#deps.users.markEmailVerified(userId, trx);
      return this.#join(user, invitation, client, trx);
    });
    return toInvitationView(accepted);
  }

  async #acceptAsNewUser(
    { email, companyId, invitedByUserId, locale: invitedIn }: Invitation,
    { password, fullName, locale = invitedIn ?? undefined, tokenDigest }: NewUserInput,
    client: ClientInfo,
  ): Promise<AcceptedInvitation> {
    const bucket = ipBucket(client.ipAddress);
    this.#deps.passwords.assertCapacity(bucket);
    if (password === undefined) throw fieldError('password', 'required', 'is required for a new user');
    await this.#deps.policy.check(password, { email });
    const person = { id: newId(), email, fullName: fullName ?? null, globalRole: 'NONE' as const };
    await this.#deps.beforeHooks.login(person, { method: 'invitation', companyId }, client);
    const passwordHash = await this.#deps.passwords.hash(password, bucket);
    return this.#deps.database.transaction(async (trx) => {
      // Users first, as in every write: a transaction that adds the same address waits here, without a lock on the invitation.
      const parties = await this.#deps.inviters.lock(companyId, [invitedByUserId], trx);
      const user = await this.#createUser({ ...person, passwordHash, locale }, client, trx);
      const invitation = await this.#lockOpen(tokenDigest, trx);
      parties.assertStillOffered(invitation);
      const accepted = await this.#join(user, invitation, client, trx);
      const audit = {
        event: 'login' as const,
        actor: { kind: 'user' as const, userId: user.id },
        details: { method: 'invitation' },
      };
      const result = await this.#deps.signInCompleter.complete(
        { user, origin: 'invitation', amr: PASSWORD_METHODS, acr: 'aal1', passwordHash, audit },
        client,
        trx,
      );
      return { ...result, invitation: toInvitationView(accepted) };
    });
  }

  async #lockOpen(tokenDigest: Buffer, trx: Transaction): Promise<Invitation> {
    const invitation = await this.#deps.invitations.lockByToken(tokenDigest, trx);
    if (!invitation) throw invitationNotFound();
    assertOpen(invitation);
    return invitation;
  }

  /**
   * Creates the invited user. The invitation vouches for the person and their mailbox, so there is nothing
   * left to approve.
   */
  async #createUser(
    fields: Pick<NewUser, 'id' | 'email' | 'passwordHash' | 'fullName' | 'globalRole' | 'locale'>,
    client: ClientInfo,
    trx: Transaction,
  ): Promise<User> {
    const user = await this.#deps.users.insert(
      {
        ...fields,
        authProvider: 'password',
        approvalStatus: 'APPROVED',
        isActive: true,
        isEmailVerified: true,
        legacyIds: {},
      },
      trx,
    );
    await this.#deps.audit.insert(
      {
        event: 'user_created',
        outcome: 'success',
        actor: { kind: 'user', userId: user.id },
        subjectUserId: user.id,
        client,
        details: { globalRole: user.globalRole, approvalStatus: user.approvalStatus, by: 'invitation' },
      },
      trx,
    );
    return user;
  }

  /**
   * Writes the membership. An active one that the user got meanwhile stays as it is; of one that has ended,
   * nothing comes back.
   */
  async #join(user: User, invitation: Invitation, client: ClientInfo, trx: Transaction): Promise<Invitation> {
    const { id, companyId, role, moduleGrants, permissionGrants, delegation } = invitation;
    const current = (await this.#deps.membershipWrites.lock(companyId, [user.id], trx)).get(user.id);
    if (current?.isActive)
      throw AuthError.conflict('The user is a member of the company already.', 'member_already');
    const held = current && (await this.#deps.membershipWrites.readAuthority(current.id, trx));
    await this.#deps.membershipWrites.writeMembership(
      current,
      { userId: user.id, companyId, isActive: true, role, moduleGrants, permissionGrants, delegation },
      trx,
    );
    const accepted = await this.#deps.invitations.accept(id, user.id, trx);
    await this.#deps.audit.insert(
      {
        event: 'invitation_accepted',
        outcome: 'success',
        actor: { kind: 'user', userId: user.id },
        subjectUserId: user.id,
        companyId,
        client,
        details: {
          invitationId: id,
          role,
          moduleGrants,
          permissionGrants,
          ...(held && { previous: authorityDetails(held) }),
        },
      },
      trx,
    );
    return accepted;
  }
}

/** Input of a new user, and the digest of their token. */
interface NewUserInput extends Pick<AcceptInvitationInput, 'password' | 'fullName' | 'locale'> {
  tokenDigest: Buffer;
}

/** An acceptance by an existing user, before the locks. */
interface Acceptance {
  userId: string;
  tokenDigest: Buffer;
  invitation: Invitation;
}

/**
 * Throws unless the caller owns both account and mailbox. The token proves who reads the mailbox, not who
 * owns the account: another person may have registered the address. The account's own access token proves it,
 * or an earlier proof of the mailbox.
 */
function assertMailboxProved(user: User, caller: SignedInUser | undefined): void {
  if (user.emailVerifiedAt !== null || caller?.userId === user.id) return;
  throw AuthError.conflict(
    'The mailbox of this account was never confirmed. Sign in, or reset the password, then open the invitation again.',
    'mailbox_unconfirmed',
  );
}

const changedMeanwhile = (): AuthError =>
  AuthError.conflict('The account changed meanwhile. Open the invitation again.', 'account_changed');
