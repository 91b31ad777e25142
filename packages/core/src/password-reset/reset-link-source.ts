import { generateSecret, digestOf } from '../kernel/secret.js';
import type { QueuedMail } from '../mail/mail-kind.js';
import type { MailSource } from '../mail/mail-source.js';
import type { OneTimeLink } from '../mail/one-time-link.js';
import type { Database } from '../storage/database.js';
import type { MailAllowance, PasswordResetRepository } from '../users/password-reset-repository.js';
import type { UserRepository } from '../users/user-repository.js';
import { maySignIn } from '../users/user.js';

const PREFIX = 'lkp_';
/**
 * Reset mails that a user gets: more would only bother the owner of the mailbox. A new one is due before a
 * link of 30 minutes expires, so an attacker cannot use up the mails of a user and leave them without a
 * working link.
 */
const ALLOWANCE: MailAllowance = { capacity: 3, refillSeconds: 20 * 60 };

/**
 * Creates the link of a reset mail when the mail is due. Only then, and not while a client waits for the
 * response, it is decided whether the mail has a recipient.
 */
export class ResetLinkSource implements MailSource<'password_reset'> {
  readonly #deps;
  readonly #options;

  constructor(
    deps: {
      readonly database: Database;
      readonly users: UserRepository;
      readonly resets: PasswordResetRepository;
    },
    options: {
      /** Public address of the service, without a trailing slash. */
      baseUrl: string;
      /** Lifetime of a link in seconds, from the moment its mail is sent. */
      ttl: number;
    },
  ) {
    this.#options = options;
    this.#deps = deps;
  }

  /**
   * Returns the link and stores its digest; `skip` for an unknown address, a user who may not sign in or has
   * another address now, one mail more than the allowance, and a request that was made before the password
   * was set.
   */
  async complete(mail: QueuedMail<'password_reset'>): Promise<OneTimeLink | 'skip'> {
    const { userId } = mail.payload;
    if (userId === null) return 'skip';
    const { baseUrl, ttl: lifetime } = this.#options;
    const token = generateSecret(PREFIX);
    const isIssued = await this.#deps.database.transaction(async (trx) => {
      const user = (await this.#deps.users.lock([userId], trx)).get(userId);
      if (user?.email !== mail.recipient || !maySignIn(user)) return false;
      return this.#deps.resets.issue(
        { id: mail.id, userId, tokenDigest: digestOf(token), lifetime, requestedAt: mail.createdAt },
        ALLOWANCE,
        trx,
      );
    });
    return isIssued ? { url: `${baseUrl}/reset-password?token=${token}`, lifetime } : 'skip';
  }
}
