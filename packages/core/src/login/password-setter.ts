import type { ApiKeyRevokeReason } from '../api-key-records/api-key.js';
import type { AuditEventName } from '../audit/audit-event.js';
import type { FactorRemoval } from '../factors/factor-removal.js';
import type { Actor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Outbox } from '../mail/outbox.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import { endsApiKeys, type RevokeReason } from '../sessions/session.js';
import type { SignInDeviceRepository } from '../sign-in-devices/sign-in-device-repository.js';
import type { Database, Transaction } from '../storage/database.js';
import type { EmailChangeRepository } from '../users/email-change-repository.js';
import type { EmailVerificationRepository } from '../users/email-verification-repository.js';
import type { PasswordResetRepository } from '../users/password-reset-repository.js';
import type { UserRepository } from '../users/user-repository.js';
import { assertNotErased, type User } from '../users/user.js';

/** A new password of an existing user, and what it invalidates. */
interface NewPassword {
  userId: string;
  passwordHash: string;
  /**
   * The hash that the caller has just confirmed; the password is set only while it is still the current one.
   */
  replaces?: string;
  /**
   * The session that sets the password and stays active, with its access tokens. Without it all access tokens
   * become invalid.
   */
  exceptSessionId?: string;
  /** True if another person may have registered passkeys with the old password. */
  removePasskeys: boolean;
  reason: RevokeReason;
  event: AuditEventName;
  actor: Actor;
  client: ClientInfo;
  /**
   * Runs first in the transaction, with the user's row locked; nothing is written if it throws. Returns true if it proves the
   * mailbox of an account whose owner has not set a password before: a stranger may have set up its factors.
   */
  precondition?: (user: User, trx: Transaction) => Promise<boolean>;
}

/** The cause for which a password is voided. */
type Voiding = Pick<NewPassword, 'reason' | 'event' | 'actor' | 'client'> & {
  /** Details of the audit row. */
  details: Record<string, unknown>;
};

/** The result of setting a password. */
interface PasswordChange {
  user: User;
  endedSessions: number;
  removedPasskeys: number;
}

/** Whose sessions end, and why. */
type Ending = Pick<NewPassword, 'userId' | 'exceptSessionId' | 'reason' | 'event' | 'actor' | 'client'> & {
  endsApiKeysFor?: ApiKeyRevokeReason;
};

interface PasswordSetterDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly resets: PasswordResetRepository;
  readonly verifications: EmailVerificationRepository;
  readonly emailChanges: EmailChangeRepository;
  /** The part of the passkey repository that is needed here. */
  readonly passkeys: { removeAll(userId: string, trx: Transaction): Promise<number> };
  readonly factorRemoval: FactorRemoval;
  readonly signInDevices: SignInDeviceRepository;
  readonly sessionRevoker: SessionRevoker;
  readonly outbox: Outbox;
}

/**
 * Sets and voids passwords of existing users: the only way to set one, for the user, for a reset and for an operator.
 * Password, mailed links, sessions, passkeys, notice and audit row are written in one transaction.
 */
export class PasswordSetter {
  readonly #deps: PasswordSetterDeps;

  constructor(deps: PasswordSetterDeps) {
    this.#deps = deps;
  }

  /**
   * Sets the password, revokes every reset link and every link that proves the mailbox, sent or not, ends a pending change
   * of the email address, revokes the sessions and notifies the user.
   * @throws AuthError `not_found`, `conflict` when the password is no longer the one that it replaces, and the
   * errors of the precondition.
   */
  set(change: NewPassword): Promise<PasswordChange> {
    return this.#deps.database.transaction((trx) => this.#apply(change, trx));
  }

  /** Locks the row of the user first: other changes of the user happen before or after all of it. */
  async #apply(change: NewPassword, trx: Transaction): Promise<PasswordChange> {
    const { userId } = change;
    const current = (await this.#deps.users.lock([userId], trx)).get(userId);
    if (!current) throw AuthError.notFound('The user', 'user_not_found');
    const isFirstProof = await change.precondition?.(current, trx);
    assertNotErased(current);
    const user = await this.#write(change, trx);
    await this.#endLinks(userId, trx);
    const removedPasskeys = change.removePasskeys ? await this.#distrustDevices(userId, trx) : 0;
    const removedApps = isFirstProof ? await this.#deps.factorRemoval.removeApps(user, trx) : 0;
    const isDistrusted = change.removePasskeys || isFirstProof === true;
    const removedIdentities = isDistrusted ? await this.#deps.factorRemoval.removeIdentities(user, trx) : 0;
    await this.#notify(user, trx);
    const endsApiKeysFor = keysEndFor({ isFirstProof, ...change });
    const endedSessions = await this.#revokeSessions(
      { ...change, ...(endsApiKeysFor && { endsApiKeysFor }) },
      {
        removedPasskeys,
        ...(removedApps > 0 && { removedApps }),
        ...(removedIdentities > 0 && { removedIdentities }),
      },
      trx,
    );
    return { user, endedSessions, removedPasskeys };
  }

  /**
   * Voids the password, within a transaction that has locked the row of the user, and removes everything that another person may
   * have set up with it: second factors of all kinds, mailed links, a pending change of the email address and the sessions, with
   * the notices of each. Until a reset, no sign-in by password succeeds.
   * @returns the user with the new token version.
   */
  async voidWithin(userId: string, { details, ...cause }: Voiding, trx: Transaction): Promise<User> {
    const hadPassword = await this.#deps.users.voidPassword(userId, trx);
    const user = await this.#deps.users.update(userId, {}, { raiseTokenVersion: true }, trx);
    await this.#endLinks(userId, trx);
    const removed = await this.#deps.factorRemoval.removeAll(user, trx);
    await this.#deps.signInDevices.forgetKnown(userId, trx);
    if (hadPassword) await this.#notify(user, trx);
    const ending = { userId, ...cause, endsApiKeysFor: 'mailbox_proved' } as const;
    const counts = {
      removedPasskeys: removed.passkeys,
      removedApps: removed.apps,
      ...(removed.identities > 0 && { removedIdentities: removed.identities }),
    };
    await this.#revokeSessions(ending, { ...details, ...counts }, trx);
    return user;
  }

  /** Ends what was mailed, and what waits for a link or a code. */
  async #endLinks(userId: string, trx: Transaction): Promise<void> {
    await this.#deps.resets.revokeAll(userId, trx);
    await this.#deps.verifications.revokeAll(userId, trx);
    await this.#deps.emailChanges.endPending(userId, trx);
    await this.#deps.users.clearWrongCodes(userId, trx);
  }

  #notify({ email: recipient, fullName }: User, trx: Transaction): Promise<void> {
    return this.#deps.outbox.enqueue(trx, { kind: 'password_changed', recipient, payload: { fullName } });
  }

  /** Removes what another person may have set up with the old password. @returns the number of removed passkeys. */
  async #distrustDevices(userId: string, trx: Transaction): Promise<number> {
    await this.#deps.signInDevices.forgetKnown(userId, trx);
    return this.#deps.passkeys.removeAll(userId, trx);
  }

  async #write(change: NewPassword, trx: Transaction): Promise<User> {
    const { userId, passwordHash, replaces, exceptSessionId } = change;
    // The session that goes on keeps its access tokens; those of the others are refused with their sessions.
    const raiseTokenVersion = exceptSessionId === undefined;
    const user = await this.#deps.users.setPassword(
      userId,
      { passwordHash, replaces, raiseTokenVersion },
      trx,
    );
    if (!user) throw AuthError.conflict('The password was changed by another request.', 'password_changed');
    return user;
  }

  #revokeSessions(change: Ending, details: Record<string, unknown>, trx: Transaction): Promise<number> {
    const { userId, exceptSessionId, endsApiKeysFor, reason, event, actor, client } = change;
    return this.#deps.sessionRevoker.revokeAllWithin(
      {
        userId,
        ...(exceptSessionId !== undefined && { exceptSessionId }),
        ...(endsApiKeysFor && { endsApiKeysFor }),
        reason,
        event,
        actor,
        client,
        details,
      },
      trx,
    );
  }
}

/** Returns the reason for which personal API keys end with a new password: a stranger may have made them. */
function keysEndFor({
  isFirstProof,
  removePasskeys,
  reason,
}: Pick<NewPassword, 'removePasskeys' | 'reason'> & { isFirstProof: boolean | undefined }):
  | ApiKeyRevokeReason
  | undefined {
  if (isFirstProof) return 'mailbox_proved';
  return removePasskeys && !endsApiKeys(reason) ? 'password_set' : undefined;
}
