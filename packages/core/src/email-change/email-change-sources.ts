import { digestOf, generateSecret } from '../kernel/secret.js';
import type { QueuedMail } from '../mail/mail-kind.js';
import type { MailSource } from '../mail/mail-source.js';
import type { UndoLink } from '../mail/messages/email-changed.js';
import type { OneTimeLink } from '../mail/one-time-link.js';
import type { Database } from '../storage/database.js';
import type { EmailChangeRepository } from '../users/email-change-repository.js';
import type { UserRepository } from '../users/user-repository.js';

const PREFIX = 'lke_';
const LIFETIME_SECONDS = 24 * 3600;

interface EmailChangeSourceDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly emailChanges: EmailChangeRepository;
  /** Public address of the service, without a trailing slash. */
  readonly baseUrl: string;
}

/** Creates the link to a new address when its mail is due. */
export class EmailChangeLinkSource implements MailSource<'email_change'> {
  readonly #deps: EmailChangeSourceDeps;

  constructor(deps: EmailChangeSourceDeps) {
    this.#deps = deps;
  }

  /** Returns the link and stores its digest; `skip` when the change is not pending any more. */
  async complete({ payload: { changeId } }: QueuedMail<'email_change'>): Promise<OneTimeLink | 'skip'> {
    const { database, users, emailChanges, baseUrl } = this.#deps;
    const userId = await emailChanges.ownerOf(changeId);
    if (userId === undefined) return 'skip';
    const token = generateSecret(PREFIX);
    const isIssued = await database.transaction(async (trx) => {
      await users.lock([userId], trx);
      return emailChanges.issue(changeId, { digest: digestOf(token), lifetime: LIFETIME_SECONDS }, trx);
    });
    return isIssued ? { url: `${baseUrl}/change-email?token=${token}`, lifetime: LIFETIME_SECONDS } : 'skip';
  }
}

/** Creates the link that undoes a change when the notice to the old address is due. */
export class EmailChangedSource implements MailSource<'email_changed'> {
  readonly #deps: EmailChangeSourceDeps;

  constructor(deps: EmailChangeSourceDeps) {
    this.#deps = deps;
  }

  /** Returns the link and stores its digest; no link for a change that cannot be undone, or no longer. */
  async complete({ payload: { changeId } }: QueuedMail<'email_changed'>): Promise<UndoLink> {
    const { database, users, emailChanges, baseUrl } = this.#deps;
    const userId = changeId === null ? undefined : await emailChanges.ownerOf(changeId);
    if (changeId === null || userId === undefined) return {};
    const token = generateSecret(PREFIX);
    const lifetime = await database.transaction(async (trx) => {
      await users.lock([userId], trx);
      return emailChanges.issueUndo(changeId, digestOf(token), trx);
    });
    return lifetime === undefined
      ? {}
      : { undo: { url: `${baseUrl}/undo-email-change?token=${token}`, lifetime } };
  }
}
