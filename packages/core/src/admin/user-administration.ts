import type { AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { assertNotActing } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput, checkInputAlongside } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { FieldFault } from '../kernel/field-fault.js';
import { assertHoldsScope } from '../kernel/machine-scope.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Outbox } from '../mail/outbox.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import type { OpenInvitations } from '../memberships/open-invitations.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import type { Database, Transaction } from '../storage/database.js';
import { assertMayActOn, assertMayCreate } from '../users/authority.js';
import { changedFields } from '../users/changed-fields.js';
import type { EmailChangeRepository } from '../users/email-change-repository.js';
import type { EmailVerificationRepository } from '../users/email-verification-repository.js';
import { assertMachineMayWriteTo } from '../users/machine-authority.js';
import type { PasswordResetRepository } from '../users/password-reset-repository.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import {
  createUserInput,
  machineCreateUserInput,
  machineUserPatchInput,
  toUserView,
  userPatchInput,
  type CreateUser,
  type MachineUserView,
  type UserPatch,
} from '../users/user-schema.js';
import { assertNotErased, type User } from '../users/user.js';
import { actorOf, lockedAdministrator, type Administrator } from './administrator.js';
import { decisionMail } from './decision-mail.js';
import { roleNotice } from './role-notice.js';
import type { StaffStepUp } from './staff-step-up.js';
import { describeChange, changesStatus, type UserChange } from './user-change.js';
import { UserDirectory, type UserDirectoryDeps } from './user-directory.js';

/** The part of the hasher that hashes new passwords. */
export type NewPasswords = Pick<PasswordHasher, 'hash'>;

interface UserAdministrationDeps extends UserDirectoryDeps {
  readonly database: Database;
  readonly resets: PasswordResetRepository;
  readonly verifications: EmailVerificationRepository;
  readonly emailChanges: EmailChangeRepository;
  readonly passwords: NewPasswords;
  readonly policy: PasswordPolicy;
  readonly signInPolicy: SignInPolicy;
  readonly sessionRevoker: SessionRevoker;
  readonly openInvitations: OpenInvitations;
  readonly outbox: Outbox;
  readonly staffStepUp: StaffStepUp;
  /** True if users are notified of a new role. */
  readonly notices: SecurityNotices;
  readonly audit: AuditRepository;
}

/** Reads, creates and changes users. Rank, change, sessions and audit are decided and written in one transaction. */
export class UserAdministration extends UserDirectory {
  readonly #deps: UserAdministrationDeps;

  constructor(deps: UserAdministrationDeps) {
    super(deps);
    this.#deps = deps;
  }

  /**
   * Creates a user; without a password they cannot sign in until they reset it. Legacy ids may be set by
   * machines and operators only; they are ignored when a person sends them.
   * @throws AuthError `forbidden`, also while an actor acts for the administrator, `reauthentication_required` (with a role), `validation_error` (also by the password
   * policy), `conflict` (email taken).
   */
  async create(
    administrator: Administrator,
    input: CreateUser,
    client: ClientInfo = unknownClient,
  ): Promise<MachineUserView> {
    const { password, ...fields } = await checkNewUser(administrator, input, () =>
      this.#deps.policy.faultsIn(input),
    );
    if (administrator.kind === 'user') {
      assertNotActing(administrator);
      assertMayCreate(administrator.globalRole, fields.globalRole);
    } else assertMachineMayWriteTo(administrator, fields);
    if (fields.globalRole !== 'NONE') this.#deps.staffStepUp.assertRecent(administrator);
    if (password !== undefined) await this.#deps.policy.check(password, { email: fields.email });
    // Staff and machines: the address as it is, since operators' tools load no library for the buckets of addresses.
    const bucket = client.ipAddress ?? undefined;
    const passwordHash = password === undefined ? null : await this.#deps.passwords.hash(password, bucket);
    return this.#deps.database.transaction(async (trx) => {
      if (administrator.kind === 'user') {
        const locked = await this.#deps.users.lock([administrator.userId], trx);
        assertMayCreate(lockedAdministrator(administrator, locked).globalRole, fields.globalRole);
      }
      const user = await this.#deps.users.insert({ ...fields, passwordHash, isEmailVerified: true }, trx);
      const details = { globalRole: user.globalRole, approvalStatus: user.approvalStatus };
      await this.#record('user_created', { administrator, user, client, details }, trx);
      return toUserView(user);
    });
  }

  /**
   * Changes a user. A new role, a deactivation and a withdrawn approval invalidate issued access tokens; the
   * last two revoke all sessions. A new role ends the sessions in which an actor acts for the user, and a lower one those in
   * which the user acts for others, and a pending change of the address. Open invitations that the user may no longer offer are cancelled. A
   * decision on a registration and a new role are mailed. A reason is kept in the audit log. A new email may be set by machines and operators only; it is
   * ignored when a person sends it.
   * @throws AuthError `validation_error`, `forbidden`, also for role, approval and activity while an actor acts for the
   * administrator, `reauthentication_required` for a new role, a deactivation and a withdrawn approval, `not_found`, `conflict` (email taken, the last active superadmin, an erased user, or an approval
   * before the required proof of the mailbox).
   */
  async patch(
    administrator: Administrator,
    userId: string,
    input: UserPatch,
    client: ClientInfo = unknownClient,
  ): Promise<MachineUserView> {
    userId = checkId(userId);
    const { reason, ...patch } = checkInput(
      administrator.kind === 'user' ? userPatchInput : machineUserPatchInput,
      input,
    );
    if (administrator.kind === 'user' && changesStatus(patch)) assertNotActing(administrator);
    return this.#deps.database.transaction(async (trx) => {
      const target = await this.#lockTarget(administrator, userId, patch, trx);
      const change = describeChange(target, patch);
      if (change.raisesTokenVersion) this.#deps.staffStepUp.assertRecent(administrator);
      if (change.decision === 'registration_approved') this.#assertMailboxProved(target, patch);
      if (change.removesSuperadmin) await this.#assertOtherSuperadmin(userId, trx);
      const user = await this.#apply(target, patch, change, trx);
      if (change.raisesTokenVersion) {
        await this.#deps.openInvitations.withdraw(userId, { actor: actorOf(administrator), client }, trx);
      }
      const details = {
        fields: changedFields(patch),
        ...statusFields(patch),
        ...(change.changesRole && { formerRole: target.globalRole }),
        ...(target.deleteAt && !user.deleteAt && { endsDeletion: true }),
        ...(reason !== undefined && { statedReason: reason }),
      };
      for (const event of change.events)
        await this.#record(event, { administrator, user, client, details }, trx);
      if (change.decision) await this.#deps.outbox.enqueue(trx, decisionMail(change.decision, user));
      const notice = roleNotice(target, user);
      if (notice) await this.#deps.notices.enqueue(trx, notice);
      await this.#endSessions(change, { administrator, user, client }, trx);
      return toUserView(user);
    });
  }

  /** Deactivates a user; doing it twice is not an error. Throws like `patch`. */
  async deactivate(
    administrator: Administrator,
    userId: string,
    client: ClientInfo = unknownClient,
  ): Promise<MachineUserView> {
    return this.patch(administrator, userId, { isActive: false }, client);
  }

  /**
   * Locks the users involved, in a fixed order, and throws unless the administrator may make every part of
   * the change.
   */
  async #lockTarget(
    administrator: Administrator,
    userId: string,
    patch: UserPatch,
    trx: Transaction,
  ): Promise<User> {
    if (changesStatus(patch)) await this.#deps.users.lockSuperadmins(trx);
    const isUser = administrator.kind === 'user';
    const locked = await this.#deps.users.lock(isUser ? [administrator.userId, userId] : [userId], trx);
    const target = locked.get(userId);
    if (!target) throw AuthError.notFound('The user', 'user_not_found');
    const { actions } = describeChange(target, patch);
    if (isUser) {
      const actor = lockedAdministrator(administrator, locked);
      // The requested role counts like the current one.
      const wanted = { id: target.id, globalRole: patch.globalRole ?? target.globalRole };
      for (const action of actions) {
        assertMayActOn(actor, action, target);
        assertMayActOn(actor, action, wanted);
      }
    } else {
      assertMachineMayWriteTo(administrator, target);
      if (actions.includes('change-role')) assertHoldsScope(administrator, 'users:privileged');
    }
    assertNotErased(target);
    return target;
  }

  /** Throws if the registration waits for the proof of its mailbox. Setting a new address vouches for that address. */
  #assertMailboxProved(target: User, { email = target.email }: UserPatch): void {
    if (email !== target.email || !this.#deps.signInPolicy.awaitsProof(target)) return;
    throw AuthError.conflict(
      'The mailbox of this registration has not been confirmed yet. Send its mail again, or wait.',
      'mailbox_unconfirmed',
    );
  }

  async #assertOtherSuperadmin(userId: string, trx: Transaction): Promise<void> {
    if ((await this.#deps.users.countOtherSuperadmins(userId, trx)) > 0) return;
    throw AuthError.conflict(
      'The last active superadmin can be neither demoted nor deactivated.',
      'last_superadmin',
    );
  }

  async #apply(target: User, patch: UserPatch, change: UserChange, trx: Transaction): Promise<User> {
    const emailChanges = patch.email !== undefined && patch.email !== target.email;
    if (emailChanges) await this.#endMailedLinks(target, trx);
    if (emailChanges || decidesAgainst(patch)) await this.#deps.verifications.revokeAll(target.id, trx);
    return this.#deps.users.update(target.id, patch, { raiseTokenVersion: change.raisesTokenVersion }, trx);
  }

  /**
   * Ends what was mailed to the former address, and notifies it. The decision of an administrator is final: the owner of
   * an earlier address can no longer undo a change.
   */
  async #endMailedLinks(
    { id, email: recipient, fullName, emailVerifiedAt }: User,
    trx: Transaction,
  ): Promise<void> {
    await this.#deps.resets.revokeAll(id, trx);
    await this.#deps.emailChanges.endAll(id, trx);
    const payload = {
      changeId: null,
      fullName: emailVerifiedAt === null ? null : fullName,
      by: 'administrator',
    } as const;
    await this.#deps.outbox.enqueue(trx, { kind: 'email_changed', recipient, payload });
  }

  /** Revokes the sessions that the change ends, and marks those whose access tokens it outdates. */
  async #endSessions(
    change: UserChange,
    { administrator, user, client }: Cause,
    trx: Transaction,
  ): Promise<void> {
    const { sessionRevoker } = this.#deps;
    const { endsSessions: reason, raisesTokenVersion } = change;
    const about = { userId: user.id, actor: actorOf(administrator), client };
    if (reason) await sessionRevoker.revokeAllWithin({ ...about, reason, event: 'sessions_revoked' }, trx);
    else if (raisesTokenVersion) {
      await sessionRevoker.revokeActedWithin({ ...about, byThem: change.lowersRole }, trx);
      await sessionRevoker.outdateWithin(user.id, trx);
    }
  }

  async #record(
    event: AuditEventName,
    about: Cause & { details: Record<string, unknown> },
    trx: Transaction,
  ): Promise<void> {
    await this.#deps.audit.insert(
      {
        event,
        outcome: 'success',
        actor: actorOf(about.administrator),
        subjectUserId: about.user.id,
        client: about.client,
        details: about.details,
      },
      trx,
    );
  }
}

/** Reports whether staff decide against the user: a link that was mailed before must not undo it. */
const decidesAgainst = ({ approvalStatus, isActive }: UserPatch): boolean =>
  isActive === false || (approvalStatus !== undefined && approvalStatus !== 'APPROVED');

interface Cause {
  administrator: Administrator;
  user: User;
  client: ClientInfo;
}

/** Checks the input of a new user; fields for machines and operators are ignored when a person sends them. */
const checkNewUser = async (
  administrator: Administrator,
  input: CreateUser,
  ofPassword: () => Promise<FieldFault[]>,
) =>
  administrator.kind === 'user'
    ? { ...(await checkInputAlongside(createUserInput, input, ofPassword)), legacyIds: {} }
    : checkInputAlongside(machineCreateUserInput, input, ofPassword);

/**
 * Returns the changed role and status, which are not secret and explain the row; other values are personal.
 */
function statusFields({ globalRole, approvalStatus, isActive }: UserPatch): Record<string, unknown> {
  return {
    ...(globalRole !== undefined && { globalRole }),
    ...(approvalStatus !== undefined && { approvalStatus }),
    ...(isActive !== undefined && { isActive }),
  };
}
