import { actorOf, lockForAction, type Administrator } from '../admin/administrator.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Outbox } from '../mail/outbox.js';
import type { Database, Transaction } from '../storage/database.js';
import type { EmailVerificationRepository } from '../users/email-verification-repository.js';
import type { UserRepository } from '../users/user-repository.js';
import { toUserView, type MachineUserView } from '../users/user-schema.js';
import { assertNotErased, type User } from '../users/user.js';
import { proofEffectOn, RESENT_PER_HOUR, type ProofOptions } from './mailbox-proof.js';

interface EmailVerificationAdministrationDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly verifications: EmailVerificationRepository;
  readonly outbox: Outbox;
  readonly audit: AuditRepository;
}

/** Sends the link that proves a mailbox again. */
export class EmailVerificationAdministration {
  readonly #deps: EmailVerificationAdministrationDeps;
  readonly #options: ProofOptions;

  constructor(deps: EmailVerificationAdministrationDeps, options: ProofOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /**
   * Queues the mail with the link again. Earlier links stay usable. Staff have the limit that users have, operators and
   * machines none.
   * @throws AuthError `not_found`; `forbidden` for a user whose role may not, or does not reach this user; `conflict` when
   * the mailbox is proved already, a link would be invalid for the user, or no mail is delivered; `rate_limited` for staff,
   * for more than three mails an hour.
   */
  async resend(
    administrator: Administrator,
    userId: string,
    client: ClientInfo = unknownClient,
  ): Promise<MachineUserView> {
    userId = checkId(userId, 'userId');
    if (!this.#deps.outbox.delivers) {
      throw AuthError.conflict('No mail is delivered. Set SMTP_URL and MAIL_FROM.', 'mail_not_configured');
    }
    const user = await this.#deps.database.transaction(async (trx) => {
      const wanted = { administrator, action: 'send-mail', userId } as const;
      const user = await lockForAction(this.#deps.users, wanted, trx);
      assertNotErased(user);
      this.#assertUnproved(user);
      const payload = { verificationId: await this.#newToken(administrator, userId, trx) };
      await this.#deps.outbox.enqueue(trx, { kind: 'email_verification', recipient: user.email, payload });
      const about = { actor: actorOf(administrator), subjectUserId: userId, client };
      await this.#deps.audit.insert(
        { event: 'email_verification_requested', outcome: 'success', ...about },
        trx,
      );
      return user;
    });
    return toUserView(user);
  }

  async #newToken({ kind }: Administrator, userId: string, trx: Transaction): Promise<string> {
    const isResent = kind === 'user';
    const wait = isResent ? await this.#deps.verifications.resendWait(userId, RESENT_PER_HOUR, trx) : 0;
    if (wait > 0) {
      const message = 'This user has had three of these mails within the last hour. Try again later.';
      throw new AuthError('rate_limited', message, { retryAfterSeconds: wait });
    }
    return this.#deps.verifications.insert(userId, trx, { isResent });
  }

  #assertUnproved(user: User): void {
    if (user.emailVerifiedAt !== null) {
      throw AuthError.conflict('The mailbox of this user is confirmed already.', 'mailbox_confirmed');
    }
    if (proofEffectOn(user, this.#options)) return;
    throw AuthError.conflict(
      this.#options.emailVerification === 'off'
        ? 'EMAIL_VERIFICATION is off, so there are no links. Set it to offer or required.'
        : 'A link would be invalid for this user: they are rejected, deactivated or staff.',
    );
  }
}
