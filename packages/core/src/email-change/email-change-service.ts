import type { AuditRepository } from '../audit/audit-repository.js';
import type { FactorRemoval } from '../factors/factor-removal.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { EmailChangeStep, Observer } from '../kernel/observer.js';
import { digestOf } from '../kernel/secret.js';
import { reportOutcome } from '../kernel/use-case-outcome.js';
import { fieldError } from '../kernel/validation-error.js';
import type { Outbox } from '../mail/outbox.js';
import type { AccountThrottle } from '../rate-limits/account-throttle.js';
import type { CredentialStepUp } from '../sessions/credential-step-up.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { SignedInUser } from '../sessions/session.js';
import type { SignInDeviceRepository } from '../sign-in-devices/sign-in-device-repository.js';
import type { Database, Transaction } from '../storage/database.js';
import type {
  EmailChangeRepository,
  UndoableEmailChange,
  UsableEmailChange,
} from '../users/email-change-repository.js';
import type { EmailVerificationRepository } from '../users/email-verification-repository.js';
import { partlyHiddenEmail } from '../users/partly-hidden-email.js';
import type { PasswordResetRepository } from '../users/password-reset-repository.js';
import type { UserRepository } from '../users/user-repository.js';
import { maySignIn, type User } from '../users/user.js';
import {
  emailChangeTokenInput,
  requestEmailChangeInput,
  type EmailChangePreview,
  type EmailChangeToken,
  type RequestEmailChange,
} from './email-change-schema.js';

/** Changes that a user may request within an hour. */
const REQUESTS_PER_HOUR = 3;
/** Lifetime of the link that undoes a change, and of the reservation of the old address. */
const UNDO_SECONDS = 7 * 24 * 3600;

interface EmailChangeServiceDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly emailChanges: EmailChangeRepository;
  readonly resets: PasswordResetRepository;
  readonly verifications: EmailVerificationRepository;
  readonly factorRemoval: FactorRemoval;
  readonly signInDevices: SignInDeviceRepository;
  readonly credentialStepUp: CredentialStepUp;
  readonly sessionRevoker: SessionRevoker;
  readonly throttle: AccountThrottle;
  readonly outbox: Outbox;
  readonly audit: AuditRepository;
  readonly observer: Observer;
}

/**
 * Changes the email address of users: a link to the new address confirms the change, and a link to the old address undoes
 * it for seven days. The address is the way back into an account, so a thief who changes it must not keep it.
 */
export class EmailChangeService {
  readonly #deps: EmailChangeServiceDeps;

  constructor(deps: EmailChangeServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Requests a change and queues the mail with its link to the new address. It replaces an earlier request. An address
   * that is taken runs the same statements and gets the same mail; the link then does not confirm.
   * @throws AuthError `reauthentication_required` unless the sign-in or step-up is at most 15 minutes old, and that by a second
   * factor of a user who has one; `validation_error`, also
   * for the caller's own address; `rate_limited` for the fourth request within an hour; `session_revoked`; `conflict`
   * where no mail is delivered; `forbidden` while an actor acts for the user.
   */
  async request(
    caller: SignedInUser,
    input: RequestEmailChange,
    client: ClientInfo = unknownClient,
  ): Promise<StatusOk> {
    return this.#reported('request', this.#request(caller, input, client));
  }

  async #request(caller: SignedInUser, input: RequestEmailChange, client: ClientInfo): Promise<StatusOk> {
    const { newEmail } = checkInput(requestEmailChangeInput, input);
    await this.#deps.credentialStepUp.assert(caller, 'sign-in');
    if (!this.#deps.outbox.delivers) {
      throw AuthError.conflict(
        'No mail is delivered, so the address cannot be confirmed.',
        'mail_not_configured',
      );
    }
    const { userId, sessionId } = caller;
    await this.#deps.database.transaction(async (trx) => {
      const { locale } = await this.#assertMayRequest(caller, newEmail, trx);
      await this.#deps.emailChanges.endPending(userId, trx);
      const changeId = await this.#deps.emailChanges.insert({ userId, sessionId, newEmail }, trx);
      const mail = { kind: 'email_change', recipient: newEmail, payload: { changeId, locale } } as const;
      await this.#deps.outbox.enqueue(trx, mail);
      await this.#deps.audit.insert(
        {
          event: 'email_change_requested',
          outcome: 'success',
          actor: { kind: 'user', userId },
          subjectUserId: userId,
          sessionId,
          client,
          details: { changeId },
        },
        trx,
      );
    });
    return { status: 'ok' };
  }

  /** Decides under the locks of user and session, so that whatever ends all sessions comes before or after. */
  async #assertMayRequest(caller: SignedInUser, newEmail: string, trx: Transaction): Promise<User> {
    const user = await this.#deps.credentialStepUp.lock(caller, 'sign-in', trx);
    if (user.email === newEmail)
      throw fieldError('newEmail', 'not_allowed', 'is the address of this account');
    const wait = await this.#deps.emailChanges.requestWait(user.id, REQUESTS_PER_HOUR, trx);
    if (wait === undefined) return user;
    throw new AuthError('rate_limited', 'Too many changes of the address. Please try again later.', {
      reason: 'email_change_limit_reached',
      retryAfterSeconds: Math.max(1, Math.ceil(wait)),
    });
  }

  /**
   * Returns the addresses that the link to the new one is about. Changes nothing, and does not say whether the address is taken.
   * @throws AuthError `validation_error` for a token that is unknown, used, expired or replaced.
   */
  async preview(input: EmailChangeToken): Promise<EmailChangePreview> {
    const found = await this.#deps.emailChanges.findUsable(tokenDigestOf(input));
    const user = found && (await this.#deps.users.findById(found.userId));
    if (!user || !maySignIn(user)) throw unusableToken();
    return { email: found.newEmail, currentEmail: partlyHiddenEmail(user.email) };
  }

  /**
   * Returns the addresses that the link to the former one is about. Changes nothing.
   * @throws AuthError `validation_error` for a token that is unknown, used, expired or ended by an earlier link.
   */
  async previewUndo(input: EmailChangeToken): Promise<EmailChangePreview> {
    const found = await this.#deps.emailChanges.findUndoable(tokenDigestOf(input));
    const user = found && (await this.#deps.users.findById(found.userId));
    if (!user) throw unusableToken();
    return { email: found.oldEmail, currentEmail: partlyHiddenEmail(user.email) };
  }

  /**
   * Changes the address, with the token of the mail to the new one. The session that requested it goes on, all others
   * end; reset links stop working. The old address gets a notice with the link that undoes the change, and is reserved for
   * seven days.
   * @throws AuthError `validation_error` for a token that is unknown, used, expired or replaced; `conflict` when the
   * address is taken or reserved: the token stays usable.
   */
  async confirm(input: EmailChangeToken, client: ClientInfo = unknownClient): Promise<StatusOk> {
    return this.#reported('confirm', this.#confirm(input, client));
  }

  async #confirm(input: EmailChangeToken, client: ClientInfo): Promise<StatusOk> {
    const tokenDigest = tokenDigestOf(input);
    const found = await this.#deps.emailChanges.findUsable(tokenDigest);
    if (!found) throw unusableToken();
    await this.#deps.database.transaction(async (trx) => {
      const user = (await this.#deps.users.lock([found.userId], trx)).get(found.userId);
      if (!user || !maySignIn(user)) throw unusableToken();
      await this.#change(user, found, { tokenDigest, client }, trx);
    });
    // The address has a record of failed sign-ins of its own, to which strangers may have added.
    await this.#deps.throttle.recordReset(found.newEmail, client.ipAddress);
    return { status: 'ok' };
  }

  async #change(
    user: User,
    { id: changeId, newEmail, sessionId }: UsableEmailChange,
    { tokenDigest, client }: { tokenDigest: Buffer; client: ClientInfo },
    trx: Transaction,
  ): Promise<void> {
    const { emailChanges, users, outbox } = this.#deps;
    const { id: userId, email: oldEmail, fullName, locale } = user;
    const undo = { oldEmail, lifetime: UNDO_SECONDS };
    if (!(await emailChanges.confirm(changeId, tokenDigest, undo, trx))) throw unusableToken();
    await users.update(userId, { email: newEmail }, { raiseTokenVersion: false }, trx);
    await emailChanges.endUndosTo(newEmail, userId, trx);
    await this.#endLinks(userId, trx);
    const payload = { changeId, fullName, locale, by: 'owner' } as const;
    await outbox.enqueue(trx, { kind: 'email_changed', recipient: oldEmail, payload });
    await this.#deps.sessionRevoker.revokeAllWithin(
      {
        userId,
        exceptSessionId: sessionId,
        reason: 'email_changed',
        event: 'email_changed',
        actor: { kind: 'user', userId },
        client,
        details: { changeId },
      },
      trx,
    );
  }

  /**
   * Restores the address that the mail with this token was sent to, ends all sessions, removes the passkeys and authenticator
   * apps that were added since the change was requested, and voids the password: until a reset by mail to the restored address, no sign-in succeeds. Links that undo later changes, and a
   * pending change, end with it, and so does a pending deletion of the account.
   * @throws AuthError `validation_error` for a token that is unknown, used, expired or ended by an earlier link;
   * `conflict` when the address is taken after all.
   */
  async undo(input: EmailChangeToken, client: ClientInfo = unknownClient): Promise<StatusOk> {
    return this.#reported('undo', this.#undo(input, client));
  }

  #reported(step: EmailChangeStep, work: Promise<StatusOk>): Promise<StatusOk> {
    return reportOutcome(work, (outcome) => this.#deps.observer.emailChange(step, outcome));
  }

  async #undo(input: EmailChangeToken, client: ClientInfo): Promise<StatusOk> {
    const undoDigest = tokenDigestOf(input);
    const found = await this.#deps.emailChanges.findUndoable(undoDigest);
    if (!found) throw unusableToken();
    await this.#deps.database.transaction(async (trx) => {
      const user = (await this.#deps.users.lock([found.userId], trx)).get(found.userId);
      if (!user || !(await this.#deps.emailChanges.undo(found, undoDigest, trx))) throw unusableToken();
      await this.#restore(user, found, client, trx);
    });
    return { status: 'ok' };
  }

  async #restore(
    user: User,
    { id: changeId, oldEmail, requestedAt }: UndoableEmailChange,
    client: ClientInfo,
    trx: Transaction,
  ): Promise<void> {
    const { id: userId, email: lostEmail, locale } = user;
    await this.#deps.users.update(userId, { email: oldEmail }, { raiseTokenVersion: true }, trx);
    await this.#deps.users.voidPassword(userId, trx);
    // Who took the account over may have deleted it, too.
    const endsDeletion = await this.#deps.users.undoDeletion(userId, trx);
    await this.#endLinks(userId, trx);
    const owner = { ...user, email: oldEmail };
    const removed = await this.#deps.factorRemoval.removeSince(owner, requestedAt, trx);
    await this.#deps.signInDevices.forgetKnown(userId, trx);
    const payload = { changeId: null, fullName: null, locale, by: 'undo' } as const;
    await this.#deps.outbox.enqueue(trx, { kind: 'email_changed', recipient: lostEmail, payload });
    // Ends a pending change, too, like whatever ends all sessions.
    await this.#deps.sessionRevoker.revokeAllWithin(
      {
        userId,
        reason: 'email_change_undone',
        event: 'email_change_undone',
        actor: { kind: 'user', userId },
        client,
        details: {
          changeId,
          removedPasskeys: removed.passkeys,
          removedApps: removed.apps,
          ...(endsDeletion && { endsDeletion }),
          ...(removed.identities > 0 && { removedIdentities: removed.identities }),
        },
      },
      trx,
    );
  }

  /** Ends the links that were mailed to the former address. */
  async #endLinks(userId: string, trx: Transaction): Promise<void> {
    await this.#deps.resets.revokeAll(userId, trx);
    await this.#deps.verifications.revokeAll(userId, trx);
  }
}

const tokenDigestOf = (input: EmailChangeToken): Buffer =>
  digestOf(checkInput(emailChangeTokenInput, input).token);

const unusableToken = (): AuthError =>
  AuthError.validation('token: is unknown, used or expired, or the change has ended', {
    reason: 'email_change_token_invalid',
    fields: [{ pointer: '/token', reason: 'not_allowed', message: 'is unknown, used or expired' }],
  });
