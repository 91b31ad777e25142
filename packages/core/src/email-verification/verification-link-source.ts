import { digestOf, generateSecret } from '../kernel/secret.js';
import type { QueuedMail } from '../mail/mail-kind.js';
import type { MailSource } from '../mail/mail-source.js';
import type { OneTimeLink } from '../mail/one-time-link.js';
import type { Database } from '../storage/database.js';
import type { EmailVerificationRepository } from '../users/email-verification-repository.js';
import type { UserRepository } from '../users/user-repository.js';

const PREFIX = 'lke_';
const LIFETIME_SECONDS = 24 * 3600;

interface VerificationLinkSourceDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly verifications: EmailVerificationRepository;
  /** Public address of the service, without a trailing slash. */
  readonly baseUrl: string;
}

/** Creates the link of a registration mail when the mail is due. */
export class VerificationLinkSource implements MailSource<'email_verification'> {
  readonly #deps: VerificationLinkSourceDeps;

  constructor(deps: VerificationLinkSourceDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the link and stores its digest; `skip` when the registration was decided against, or the address
   * was changed or proved.
   */
  async complete({
    payload,
    recipient: email,
  }: QueuedMail<'email_verification'>): Promise<OneTimeLink | 'skip'> {
    const id = payload.verificationId;
    const open = await this.#deps.verifications.findOpen(id);
    if (!open) return 'skip';
    const token = generateSecret(PREFIX);
    const isIssued = await this.#deps.database.transaction(async (trx) => {
      await this.#deps.users.lock([open.userId], trx);
      return this.#deps.verifications.issue(
        { id, tokenDigest: digestOf(token), lifetime: LIFETIME_SECONDS, email },
        trx,
      );
    });
    return isIssued
      ? { url: `${this.#deps.baseUrl}/verify-email?token=${token}`, lifetime: LIFETIME_SECONDS }
      : 'skip';
  }
}
