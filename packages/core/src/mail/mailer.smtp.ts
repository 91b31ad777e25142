import { createTransport } from 'nodemailer';
import { MailRejectedError, type AddressedMail, type Mailer } from './mailer.js';
import { explainSmtpFailure, type SmtpFailure } from './smtp-failure.js';
import { connectionTo, mailFrom } from './smtp-message.js';
import { serverNameOf, type SmtpServer } from './smtp-server.js';

/** Sends over a pool of SMTP connections. */
export class SmtpMailer implements Mailer {
  readonly #transport;
  readonly #from: string;
  readonly #server: string;

  constructor(
    options: SmtpServer & {
      /** Maximum number of open connections. Defaults to 4. */
      maxConnections?: number;
    },
  ) {
    this.#from = options.from;
    this.#server = serverNameOf(options.url);
    this.#transport = createTransport({
      ...connectionTo(options),
      pool: true,
      maxConnections: options.maxConnections ?? 4,
    });
  }

  async send(message: AddressedMail): Promise<void> {
    try {
      await this.#transport.sendMail(mailFrom(this.#from, message));
    } catch (error) {
      if (isPermanent(error)) throw new MailRejectedError(error.message, { cause: error });
      throw this.#explained(error);
    }
  }

  async verify(): Promise<void> {
    try {
      await this.#transport.verify();
    } catch (error) {
      throw this.#explained(error);
    }
  }

  close(): void {
    this.#transport.close();
  }

  /** Returns an error that names the setting to change; nodemailer's message about missing STARTTLS does not. */
  #explained(error: unknown): unknown {
    if (!isWithoutTls(error)) return error;
    const { problem, fix } = explainSmtpFailure(error, this.#server);
    return new Error(`${problem} ${fix}`, { cause: error });
  }
}

const isWithoutTls = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, 'code') === 'ETLS';

/**
 * Returns true if this mail can never be sent: the reply to the recipient or the content was 5xx (RFC 5321 section
 * 4.2.1), or the address is invalid. A rejected login or sender is no fault of the mail and ends when the settings are
 * fixed.
 */
function isPermanent(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, command, responseCode }: SmtpFailure = error;
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false;
  if (typeof responseCode !== 'number') return command === 'API';
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
}
