import { newId } from '../kernel/id.js';
import type { Logger } from '../kernel/logger.js';
import type { Mailer, MailMessage } from './mailer.js';

/** A mail that was kept in memory instead of being sent. */
export interface InboxMail extends MailMessage {
  id: string;
  receivedAt: Date;
}

const KEPT_MAILS = 200;

/**
 * Keeps mail in memory and logs its links, for development and tests. Never for production: readers of the log could
 * use the links.
 * @example
 * ```ts
 * const inbox: InboxMailer | undefined = kit.auth.inbox;
 * const { email } = await kit.user();
 * await kit.auth.passwordReset.request({ email });
 * await kit.mail.waitFor(email);
 * const subjects = inbox?.list().filter(({ to }) => to === email).map(({ subject }) => subject);
 * subjects?.length; // → 1
 * ```
 */
export class InboxMailer implements Mailer {
  readonly #logger: Logger;
  #mails: InboxMail[] = [];

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  send(message: MailMessage): Promise<void> {
    const mail: InboxMail = { ...message, id: newId(), receivedAt: new Date() };
    this.#mails = [mail, ...this.#mails].slice(0, KEPT_MAILS);
    const { subject, to, links } = mail;
    this.#logger.info({ mailId: mail.id, subject, to, links }, 'mail kept in the development inbox');
    return Promise.resolve();
  }

  /** The last 200 mails, newest first. */
  list(): readonly InboxMail[] {
    return this.#mails;
  }

  find(id: string): InboxMail | undefined {
    return this.#mails.find((mail) => mail.id === id);
  }

  close(): void {
    this.#mails = [];
  }
}
