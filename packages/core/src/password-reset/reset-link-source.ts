import { generateSecret, digestOf } from '../kernel/secret.js';
import type { QueuedMail } from '../mail/mail-kind.js';
import type { OneTimeLink } from '../mail/mail-secret-source.js';
import type { Database } from '../storage/database.js';
import { maySignIn } from '../users/user.js';
import type { UserRepository } from '../users/user-repository.js';
import type { PasswordResetRepository } from './password-reset-repository.js';

const PREFIX = 'lkp_';
/** More mails than this would only bother the owner of the mailbox. */
const MAILS_PER_HOUR = 3;

export interface ResetLinkOptions {
  /** Public address of the service, without a trailing slash. */
  baseUrl: string;
  /** Seconds a link works, from the moment its mail is sent. */
  ttl: number;
}

/**
 * Makes the link of a reset mail when the mail is due. Here, and not while somebody waits for an answer, it is decided
 * whether there is anybody to write to.
 */
export class ResetLinkSource {
  readonly #database: Database;
  readonly #users: UserRepository;
  readonly #resets: PasswordResetRepository;
  readonly #options: ResetLinkOptions;

  constructor(
    parts: { database: Database; users: UserRepository; resets: PasswordResetRepository },
    options: ResetLinkOptions,
  ) {
    this.#database = parts.database;
    this.#users = parts.users;
    this.#resets = parts.resets;
    this.#options = options;
  }

  /**
   * The link, its digest stored; `skip` for an address nobody has, a user who may not sign in or has moved to another
   * address, the fourth mail of an hour, and a request that a reset has overtaken.
   */
  async linkFor(mail: QueuedMail<'password_reset'>): Promise<OneTimeLink | 'skip'> {
    const { userId } = mail.payload;
    if (userId === null) return 'skip';
    const { baseUrl, ttl: lifetime } = this.#options;
    const token = generateSecret(PREFIX);
    const isIssued = await this.#database.transaction(async (trx) => {
      const user = (await this.#users.lock([userId], trx)).get(userId);
      if (user?.email !== mail.recipient || !maySignIn(user)) return false;
      return this.#resets.issue(
        { id: mail.id, userId, tokenDigest: digestOf(token), lifetime, requestedAt: mail.createdAt },
        MAILS_PER_HOUR,
        trx,
      );
    });
    return isIssued ? { url: `${baseUrl}/reset-password?token=${token}`, lifetime } : 'skip';
  }
}
