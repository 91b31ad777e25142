import type { AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { FieldFault } from '../kernel/field-fault.js';
import { assertHoldsScope } from '../kernel/machine-scope.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Outbox } from '../mail/outbox.js';
import type { OpenInvitations } from '../memberships/open-invitations.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import type { Database, Transaction } from '../storage/database.js';
import { assertMayActOn, assertMayCreate } from '../users/authority.js';
import { changedFields } from '../users/changed-fields.js';
import type { EmailVerificationRepository } from '../users/email-verification-repository.js';
import { assertMachineMayWriteTo } from '../users/machine-authority.js';
import type { PasswordResetRepository } from '../users/password-reset-repository.js';
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
import type { User } from '../users/user.js';
import { actorOf, lockedAdministrator, type Administrator } from './administrator.js';
import { decisionMail } from './decision-mail.js';
import { describeChange, changesStatus, type UserChange } from './user-change.js';
import { UserDirectory, type UserDirectoryDeps } from './user-directory.js';

/** The part of the hasher that hashes new passwords. */
export type NewPasswords = Pick<PasswordHasher, 'hash'>;

interface UserAdministrationDeps extends UserDirectoryDeps {
  readonly database: Database;
  readonly resets: PasswordResetRepository;
  readonly verifications: EmailVerificationRepository;
  readonly passwords: NewPasswords;
  readonly policy: PasswordPolicy;
  readonly sessionRevoker: SessionRevoker;
  readonly openInvitations: OpenInvitations;
  readonly outbox: Outbox;
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
   * @throws AuthError `forbidden`, `validation_error` (also by the password policy), `conflict` (email taken).
   */
  async create(
    administrator: Administrator,
    input: CreateUser,
    client: ClientInfo = unknownClient,
  ): Promise<MachineUserView> {
    const { password, ...fields } = checkNewUser(administrator, input, () =>
      this.#deps.policy.faultsIn(input),
    );
    if (administrator.kind === 'user') assertMayCreate(administrator.globalRole, fields.globalRole);
    else assertMachineMayWriteTo(administrator, fields);
    if (password !== undefined) this.#deps.policy.check(password, { email: fields.email });
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
   * last two revoke all sessions. Open invitations that the user may no longer offer are cancelled. A
   * decision on a registration is mailed. A new email may be set by machines and operators only; it is
   * ignored when a person sends it.
   * @throws AuthError `validation_error`, `forbidden`, `not_found`, `conflict` (email taken, or the last active
   * superadmin).
   */
  async patch(
    administrator: Administrator,
    userId: string,
    input: UserPatch,
    client: ClientInfo = unknownClient,
  ): Promise<MachineUserView> {
    userId = checkId(userId);
    const patch = checkInput(administrator.kind === 'user' ? userPatchInput : machineUserPatchInput, input);
    const { user, affected } = await this.#deps.database.transaction(async (trx) => {
      const target = await this.#lockTarget(administrator, userId, patch, trx);
      const change = describeChange(target, patch);
      if (change.removesSuperadmin) await this.#assertOtherSuperadmin(userId, trx);
      const user = await this.#apply(target, patch, change, trx);
      if (change.raisesTokenVersion) {
        await this.#deps.openInvitations.withdraw(userId, { actor: actorOf(administrator), client }, trx);
      }
      const details = { fields: changedFields(patch), ...statusFields(patch) };
      await this.#record(change.event, { administrator, user, client, details }, trx);
      if (change.decision) await this.#deps.outbox.enqueue(trx, decisionMail(change.decision, user));
      return { user, affected: await this.#affectedSessions(change, { administrator, user, client }, trx) };
    });
    this.#deps.outbox.wake();
    await this.#deps.sessionRevoker.markRevoked(affected);
    return toUserView(user);
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
    return target;
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
    if (emailChanges) await this.#deps.resets.revokeAll(target.id, trx);
    if (emailChanges || decidesAgainst(patch)) await this.#deps.verifications.revokeAll(target.id, trx);
    return this.#deps.users.update(target.id, patch, { raiseTokenVersion: change.raisesTokenVersion }, trx);
  }

  /**
   * Revokes the sessions that the change ends.
   * @returns these, or the ones whose access tokens it outdates: guards must not rely on hints for them.
   */
  async #affectedSessions(
    change: UserChange,
    { administrator, user, client }: Cause,
    trx: Transaction,
  ): Promise<string[]> {
    const { endsSessions: reason, raisesTokenVersion } = change;
    if (!reason) return raisesTokenVersion ? this.#deps.sessionRevoker.outdatedWithin(user.id, trx) : [];
    const actor = actorOf(administrator);
    return this.#deps.sessionRevoker.revokeAllWithin(
      { userId: user.id, reason, event: 'sessions_revoked', actor, client },
      trx,
    );
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
const checkNewUser = (administrator: Administrator, input: CreateUser, ofPassword: () => FieldFault[]) =>
  administrator.kind === 'user'
    ? { ...checkInput(createUserInput, input, 'body', ofPassword), legacyIds: {} }
    : checkInput(machineCreateUserInput, input, 'body', ofPassword);

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
