import { createTransport } from 'nodemailer';
import { MailRejectedError } from './mailer.js';
import type { Mailer, MailMessage } from './mailer.js';
import type { SmtpFailure } from './smtp-failure.js';
import { connectionTo, mailFrom } from './smtp-message.js';

export interface SmtpMailerOptions {
  /** `smtp://` or `smtps://`, credentials percent-encoded. */
  url: string;
  /** The sender, for example `Latchkey <no-reply@example.com>`. */
  from: string;
  /** Open connections at most, 4 unless told otherwise. */
  maxConnections?: number;
}

/** Sends over a pool of SMTP connections, with STARTTLS wherever the server offers it. */
export class SmtpMailer implements Mailer {
  readonly #transport;
  readonly #from: string;

  constructor(options: SmtpMailerOptions) {
    this.#from = options.from;
    this.#transport = createTransport({
      ...connectionTo(options.url),
      pool: true,
      maxConnections: options.maxConnections ?? 4,
    });
  }

  async send(message: MailMessage): Promise<void> {
    try {
      await this.#transport.sendMail(mailFrom(this.#from, message));
    } catch (error) {
      throw isPermanent(error) ? new MailRejectedError(error.message, { cause: error }) : error;
    }
  }

  async verify(): Promise<void> {
    await this.#transport.verify();
  }

  close(): void {
    this.#transport.close();
  }
}

/**
 * Whether this mail can never leave: the recipient or the content was answered 5xx (RFC 5321 section 4.2.1), or
 * the address is none. A refused login or sender is not the mail's fault and passes once the settings are mended.
 */
function isPermanent(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, command, responseCode }: SmtpFailure = error;
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false;
  if (typeof responseCode !== 'number') return command === 'API';
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
}
