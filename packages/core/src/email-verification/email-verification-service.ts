import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput, checkInputAlongside } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { EmailVerificationStep, Observer } from '../kernel/observer.js';
import { digestOf } from '../kernel/secret.js';
import { reportOutcome } from '../kernel/use-case-outcome.js';
import { fieldError } from '../kernel/validation-error.js';
import type { AccountRemoval } from '../login/account-removal.js';
import type { ApprovalNotices } from '../login/approval-notices.js';
import type { PasswordSetter } from '../login/password-setter.js';
import type { Outbox } from '../mail/outbox.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { AccountThrottle } from '../rate-limits/account-throttle.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import type { SessionRepository } from '../sessions/session-repository.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { Database, Transaction } from '../storage/database.js';
import type {
  EmailVerificationRepository,
  UsableVerification,
} from '../users/email-verification-repository.js';
import type { UserRepository } from '../users/user-repository.js';
import type { User } from '../users/user.js';
import {
  rejectRegistrationInput,
  resendVerificationInput,
  verificationTokenInput,
  verifyEmailInput,
  type RejectRegistration,
  type ResendVerification,
  type VerificationPreview,
  type VerificationToken,
  type VerifyEmailInput,
} from './email-verification-schema.js';
import { isRejectable, proofEffectOn, type ProofOptions } from './mailbox-proof.js';

/** A presented token. */
interface Proof {
  found: UsableVerification;
  tokenDigest: Buffer;
  client: ClientInfo;
  /** True if the presenter has shown neither the password nor a new one. */
  byLinkAlone?: boolean;
}

interface EmailVerificationServiceDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly verifications: EmailVerificationRepository;
  readonly passwords: PasswordHasher;
  readonly policy: PasswordPolicy;
  readonly setter: PasswordSetter;
  readonly throttle: AccountThrottle;
  readonly approverNotices: ApprovalNotices;
  readonly outbox: Outbox;
  readonly audit: AuditRepository;
  readonly removal: AccountRemoval;
  readonly sessions: SessionRepository;
  readonly sessionRevoker: SessionRevoker;
  readonly observer: Observer;
}

/**
 * Proves mailboxes by the link of a registration mail, and approves registrations by it if the settings say so. The link
 * alone enables no account: the registrant may have typed a stranger's address, whose owner must not vouch for a password
 * that they do not know.
 */
export class EmailVerificationService {
  readonly #deps: EmailVerificationServiceDeps;
  readonly #options: ProofOptions;

  constructor(deps: EmailVerificationServiceDeps, options: ProofOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /**
   * Proves the mailbox. Unless an administrator decides on the registration, a password is required: the one chosen at
   * registration stays; any other becomes the new password, as by a reset. A missing password, and one that breaks the
   * policy, leave the token usable.
   * @throws AuthError `validation_error` for a token that is unknown, used or expired, or whose registration was decided
   * against, and for the password.
   */
  async verify(input: VerifyEmailInput, client: ClientInfo = unknownClient): Promise<StatusOk> {
    return this.#reported('verify', this.#verify(input, client));
  }

  async #verify(input: VerifyEmailInput, client: ClientInfo): Promise<StatusOk> {
    const bucket = ipBucket(client.ipAddress);
    const { token, password } = await checkInputAlongside(verifyEmailInput, input, () =>
      this.#deps.policy.faultsIn(input),
    );
    const tokenDigest = digestOf(token);
    const found = await this.#deps.verifications.findUsable(tokenDigest);
    const effect = found && proofEffectOn(found.user, this.#options);
    if (!effect) throw unusableToken();
    const proof = { found, tokenDigest, client };
    if (password === undefined) await this.#proveByLink(proof);
    else if (await this.#isCurrent(found.user.id, password, bucket)) await this.#proveWithin(proof);
    else await this.#proveWith(password, bucket, proof);
    return { status: 'ok' };
  }

  /**
   * Returns the address that a link confirms. Changes nothing.
   * @throws AuthError `validation_error` for a token that is unknown, used or expired, or whose registration was decided
   * against.
   */
  async preview(input: VerificationToken): Promise<VerificationPreview> {
    const { token } = checkInput(verificationTokenInput, input);
    const found = await this.#deps.verifications.findUsable(digestOf(token));
    if (!found || !proofEffectOn(found.user, this.#options)) throw unusableToken();
    return { email: found.user.email };
  }

  /**
   * Requests the mail of a registration again. A known and an unknown email run the same statements, as a reset request
   * does; whether the mail has a recipient is decided when it is due: at most three an hour, and none once the mailbox is
   * proved or the registration was decided against.
   * @throws AuthError `validation_error`
   */
  async resend(input: ResendVerification, client: ClientInfo = unknownClient): Promise<StatusOk> {
    return this.#reported('resend', this.#resend(input, client));
  }

  async #resend(input: ResendVerification, client: ClientInfo): Promise<StatusOk> {
    const { email } = checkInput(resendVerificationInput, input);
    if (this.#options.emailVerification === 'off') return { status: 'ok' };
    const user = await this.#deps.users.findByEmail(email);
    const userId = user?.id ?? null;
    await this.#deps.database.transaction(async (trx) => {
      await this.#deps.outbox.enqueue(trx, {
        kind: 'email_verification',
        recipient: email,
        payload: { userId },
      });
      await this.#deps.audit.insert(
        {
          event: 'email_verification_requested',
          outcome: 'success',
          actor: { kind: 'anonymous' },
          subjectUserId: user?.id,
          client,
        },
        trx,
      );
    });
    return { status: 'ok' };
  }

  /**
   * Deletes a registration that is still pending, for the owner of the mailbox who did not register. The address is free
   * again. A tombstone and audit rows stay, so that rows of the host app that refer to the user never prevent it.
   * @throws AuthError `validation_error` for a token that is unknown, used or expired, or whose registration was confirmed
   * or decided on.
   */
  async reject(input: RejectRegistration, client: ClientInfo = unknownClient): Promise<StatusOk> {
    return this.#reported('reject', this.#reject(input, client));
  }

  #reported(step: EmailVerificationStep, work: Promise<StatusOk>): Promise<StatusOk> {
    return reportOutcome(work, (outcome) => this.#deps.observer.emailVerification(step, outcome));
  }

  async #reject(input: RejectRegistration, client: ClientInfo): Promise<StatusOk> {
    const rejectionDigest = digestOf(checkInput(rejectRegistrationInput, input).token);
    const found = await this.#deps.verifications.findRejectable(rejectionDigest);
    if (!found) throw unusableToken();
    await this.#deps.database.transaction(async (trx) => {
      const user = await this.#lock(found, trx);
      if (!isRejectable(user)) throw unusableToken();
      if (!(await this.#deps.verifications.spend(found, { rejectionDigest }, trx))) throw unusableToken();
      await this.#cancel(user.id, client, trx);
    });
    return { status: 'ok' };
  }

  /** Replaces a registration by a tombstone, and revokes the sessions of a user who was once approved. */
  async #cancel(userId: string, client: ClientInfo, trx: Transaction): Promise<void> {
    await this.#deps.removal.fence(userId, trx);
    // Before the removal: the row in the log about a tombstone would lose the network address of who cancels.
    await this.#deps.sessionRevoker.revokeAllWithin(
      {
        userId,
        reason: 'erased',
        event: 'registration_cancelled',
        actor: { kind: 'anonymous' },
        client,
        details: { by: 'mailbox' },
      },
      trx,
    );
    await this.#deps.removal.remove(userId, trx);
    await this.#deps.sessions.forgetClients(userId, trx);
  }

  /** Proves the mailbox without a password, if the state of the user needs none. */
  async #proveByLink(proof: Proof): Promise<void> {
    await this.#proveWithin({ ...proof, byLinkAlone: true }, (user) => {
      if (proofEffectOn(user, this.#options)?.needsPassword !== true) return;
      throw fieldError(
        'password',
        'required',
        'is required, because the link alone does not confirm this account',
      );
    });
  }

  async #isCurrent(userId: string, password: string, bucket: string): Promise<boolean> {
    this.#deps.passwords.assertCapacity(bucket);
    const hash = (await this.#deps.users.findWithPassword(userId))?.passwordHash;
    return hash ? this.#deps.passwords.verify(hash, password, bucket) : false;
  }

  /**
   * Proves without a new password. Setting a password always revokes the token, so if the token is still
   * valid, a password that was just confirmed is still the current one.
   * @param assertFit throws if the state of the locked user does not allow it.
   */
  async #proveWithin(proof: Proof, assertFit?: (user: User) => void): Promise<void> {
    await this.#deps.database.transaction(async (trx) => {
      const user = await this.#lock(proof.found, trx);
      assertFit?.(user);
      await this.#prove(user, proof, trx);
    });
  }

  async #proveWith(password: string, bucket: string, proof: Proof): Promise<void> {
    const { client } = proof;
    const { id: userId, email } = proof.found.user;
    await this.#deps.policy.check(password, { email });
    await this.#deps.setter.set({
      userId,
      passwordHash: await this.#deps.passwords.hash(password, bucket),
      // Staff may have approved meanwhile, and a person who knew the old password may have added passkeys and apps.
      removePasskeys: true,
      reason: 'password_changed',
      event: 'password_changed',
      actor: { kind: 'user', userId },
      client,
      precondition: (user, trx) => this.#prove(user, proof, trx),
    });
    await this.#deps.throttle.recordReset(email, client.ipAddress);
  }

  async #lock({ user: { id } }: UsableVerification, trx: Transaction): Promise<User> {
    const user = (await this.#deps.users.lock([id], trx)).get(id);
    if (!user) throw unusableToken();
    return user;
  }

  /**
   * Spends the token under the lock of the user's row: of simultaneous proofs the later ones find their token
   * spent.
   * @returns whether no one has proved the mailbox with a password before.
   */
  async #prove(user: User, proof: Proof, trx: Transaction): Promise<boolean> {
    const { found, tokenDigest, client, byLinkAlone } = proof;
    const effect = proofEffectOn(user, this.#options);
    if (!effect || !(await this.#deps.verifications.spend(found, { tokenDigest }, trx)))
      throw unusableToken();
    const isFirst = await this.#deps.users.markEmailVerified(user.id, trx, byLinkAlone);
    const about = {
      outcome: 'success',
      actor: { kind: 'user', userId: user.id },
      subjectUserId: user.id,
      client,
    } as const;
    await this.#deps.audit.insert({ ...about, event: 'email_verified' }, trx);
    if (effect.approves) {
      const approved = { approvalStatus: 'APPROVED', isActive: true } as const;
      await this.#deps.users.update(user.id, approved, { raiseTokenVersion: false }, trx);
      const details = { by: 'email_verification', ...approved };
      await this.#deps.audit.insert({ ...about, event: 'user_approved', details }, trx);
    } else if (user.approvalStatus === 'PENDING' && this.#options.emailVerification === 'required') {
      // Only now can staff decide on the registration.
      await this.#deps.approverNotices.enqueue(trx);
    }
    return isFirst;
  }
}

const unusableToken = (): AuthError =>
  AuthError.validation('token: is unknown, used or expired, or the registration was decided on', {
    reason: 'verification_token_invalid',
    fields: [{ pointer: '/token', reason: 'not_allowed', message: 'is unknown, used or expired' }],
  });
