import { digestOf, generateSecret } from '../kernel/secret.js';
import type { QueuedMail } from '../mail/mail-kind.js';
import type { MailSource } from '../mail/mail-source.js';
import type { DeletionLink } from '../mail/messages/account-deletion.js';
import type { Database } from '../storage/database.js';
import type { DeletionLinkRepository } from '../users/deletion-link-repository.js';
import type { UserRepository } from '../users/user-repository.js';

const PREFIX = 'lkd_';

/**
 * Creates the link that undoes a deletion when its mail is due. Only then, and not while a client waits for the response, it is decided
 * whether the mail has a recipient.
 */
export class UndoLinkSource implements MailSource<'account_deletion'> {
  readonly #deps;

  constructor(deps: {
    readonly database: Database;
    readonly users: UserRepository;
    readonly deletionLinks: DeletionLinkRepository;
    /** Public address of the service, without a trailing slash. */
    readonly baseUrl: string;
  }) {
    this.#deps = deps;
  }

  /**
   * Returns the link and stores its digest; `skip` for an unknown address, a user without a pending deletion or with another address
   * now, and the fourth mail of an hour.
   */
  async complete(mail: QueuedMail<'account_deletion'>): Promise<DeletionLink | 'skip'> {
    const { userId } = mail.payload;
    if (userId === null) return 'skip';
    const token = generateSecret(PREFIX);
    const deleteAt = await this.#deps.database.transaction(async (trx) => {
      const user = (await this.#deps.users.lock([userId], trx)).get(userId);
      if (user?.email !== mail.recipient) return undefined;
      return this.#deps.deletionLinks.issue({ id: mail.id, userId, tokenDigest: digestOf(token) }, trx);
    });
    return deleteAt ? { url: `${this.#deps.baseUrl}/undo-deletion?token=${token}`, deleteAt } : 'skip';
  }
}
