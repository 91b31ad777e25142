import type { Mailer, MailMessage } from './mailer.js';
import { sendOwn, type OwnMail } from './own-mail.js';

/** Sends by a function of the app. */
export class AppMailer implements Mailer {
  readonly #send: NonNullable<OwnMail['send']>;

  constructor(send: NonNullable<OwnMail['send']>) {
    this.#send = send;
  }

  send({ id, to, kind, locale, subject, text, html }: MailMessage): Promise<void> {
    return sendOwn(this.#send, { id, to, kind, locale, subject, text, html });
  }

  close(): void {
    // The connections of the function are the app's.
  }
}
