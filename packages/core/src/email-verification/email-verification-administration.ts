import type { AuditRepository } from '../audit/audit-repository.js';
import type { TrustedActor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Outbox } from '../mail/outbox.js';
import type { Database } from '../storage/database.js';
import type { EmailVerificationRepository } from '../users/email-verification-repository.js';
import type { UserRepository } from '../users/user-repository.js';
import { toUserView, type MachineUserView } from '../users/user-schema.js';
import { assertNotErased, type User } from '../users/user.js';
import { proofEffectOn, type ProofOptions } from './mailbox-proof.js';

interface EmailVerificationAdministrationDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly verifications: EmailVerificationRepository;
  readonly outbox: Outbox;
  readonly audit: AuditRepository;
}

/** Sends the link that proves a mailbox again, for trusted actors. */
export class EmailVerificationAdministration {
  readonly #deps: EmailVerificationAdministrationDeps;
  readonly #options: ProofOptions;

  constructor(deps: EmailVerificationAdministrationDeps, options: ProofOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /**
   * Queues the mail with the link again, without the limit that users have. Earlier links stay usable.
   * @throws AuthError `not_found`; `conflict` when the mailbox is proved already, a link would be invalid for the user, or
   * no mail is delivered.
   */
  async resend(
    actor: TrustedActor,
    userId: string,
    client: ClientInfo = unknownClient,
  ): Promise<MachineUserView> {
    userId = checkId(userId, 'userId');
    if (!this.#deps.outbox.delivers) {
      throw AuthError.conflict('No mail is delivered. Set SMTP_URL and MAIL_FROM.', 'mail_not_configured');
    }
    const user = await this.#deps.database.transaction(async (trx) => {
      const user = (await this.#deps.users.lock([userId], trx)).get(userId);
      if (!user) throw AuthError.notFound('The user', 'user_not_found');
      assertNotErased(user);
      this.#assertUnproved(user);
      const payload = { verificationId: await this.#deps.verifications.insert(userId, trx) };
      await this.#deps.outbox.enqueue(trx, { kind: 'email_verification', recipient: user.email, payload });
      await this.#deps.audit.insert(
        { event: 'email_verification_requested', outcome: 'success', actor, subjectUserId: userId, client },
        trx,
      );
      return user;
    });
    this.#deps.outbox.wake();
    return toUserView(user);
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
