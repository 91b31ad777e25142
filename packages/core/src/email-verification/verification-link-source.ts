import { digestOf, generateSecret } from '../kernel/secret.js';
import type { QueuedMail } from '../mail/mail-kind.js';
import type { MailSource } from '../mail/mail-source.js';
import type { EmailVerificationPayload, VerificationLinks } from '../mail/messages/email-verification.js';
import type { Database, Transaction } from '../storage/database.js';
import type {
  EmailVerificationRepository,
  VerificationSecrets,
} from '../users/email-verification-repository.js';
import type { UserRepository } from '../users/user-repository.js';
import type { User } from '../users/user.js';
import { isRejectable, proofEffectOn, RESENT_PER_HOUR, type ProofOptions } from './mailbox-proof.js';

const PREFIX = 'lke_';
const LIFETIME_SECONDS = 24 * 3600;

/** Creates the links of a registration mail when the mail is due. */
export class VerificationLinkSource implements MailSource<'email_verification'> {
  readonly #deps;
  readonly #options;

  constructor(
    deps: {
      readonly database: Database;
      readonly users: UserRepository;
      readonly verifications: EmailVerificationRepository;
    },
    options: ProofOptions & {
      /** Public address of the service, without a trailing slash. */
      readonly baseUrl: string;
    },
  ) {
    this.#deps = deps;
    this.#options = options;
  }

  /**
   * Returns the links and stores their digests; `skip` for an unknown address, when the registration was decided against,
   * when the address was changed or proved, and for one more mail than a user may request.
   */
  async complete(mail: QueuedMail<'email_verification'>): Promise<VerificationLinks | 'skip'> {
    const userId = await this.#userOf(mail.payload);
    if (userId === undefined) return 'skip';
    return this.#deps.database.transaction(async (trx) => {
      const user = (await this.#deps.users.lock([userId], trx)).get(userId);
      const effect = user && proofEffectOn(user, this.#options);
      if (!effect || user.email !== mail.recipient || user.emailVerifiedAt !== null) return 'skip';
      const [token, rejection] = [generateSecret(PREFIX), generateSecret(PREFIX)];
      const digests = { tokenDigest: digestOf(token), rejectionDigest: digestOf(rejection) };
      if (!(await this.#issue(mail, user, { ...digests, lifetime: LIFETIME_SECONDS }, trx))) return 'skip';
      const { baseUrl } = this.#options;
      return {
        url: `${baseUrl}/verify-email?token=${token}`,
        lifetime: LIFETIME_SECONDS,
        ...effect,
        awaitsApproval: user.approvalStatus === 'PENDING' && !effect.approves,
        ...(isRejectable(user) && { rejectionUrl: `${baseUrl}/reject-registration?token=${rejection}` }),
      };
    });
  }

  async #userOf(payload: EmailVerificationPayload): Promise<string | undefined> {
    if ('userId' in payload) return payload.userId ?? undefined;
    return (await this.#deps.verifications.findOpen(payload.verificationId))?.userId;
  }

  async #issue(
    { id, payload }: QueuedMail<'email_verification'>,
    user: User,
    secrets: Omit<VerificationSecrets, 'id'>,
    trx: Transaction,
  ): Promise<boolean> {
    const { verifications } = this.#deps;
    if ('verificationId' in payload)
      return verifications.issue({ ...secrets, id: payload.verificationId }, trx);
    // A link that approves must not undo a decision of staff, which has revoked the links before it.
    const isDecidedOn =
      proofEffectOn(user, this.#options)?.approves === true && !(await verifications.hasOpen(user.id, trx));
    if (isDecidedOn) return false;
    return verifications.issueAgain({ ...secrets, id }, { userId: user.id, perHour: RESENT_PER_HOUR }, trx);
  }
}
