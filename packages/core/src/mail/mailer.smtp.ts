import { createTransport } from 'nodemailer';
import { MailRejectedError } from './mailer.js';
import type { Mailer, MailMessage } from './mailer.js';

export interface SmtpMailerOptions {
  /** `smtp://` or `smtps://`, credentials percent-encoded. */
  url: string;
  /** The sender, for example `Latchkey <no-reply@example.com>`. */
  from: string;
  /** Open connections at most, 4 unless told otherwise. */
  maxConnections?: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const GREETING_TIMEOUT_MS = 5_000;
const SOCKET_TIMEOUT_MS = 10_000;
/** One mail in all. A server that trickles its answers never meets the socket timeout. */
const SEND_TIMEOUT_MS = 30_000;

/** Sends over a pool of SMTP connections, with STARTTLS wherever the server offers it. */
export class SmtpMailer implements Mailer {
  readonly #transport;
  readonly #from: string;

  constructor(options: SmtpMailerOptions) {
    this.#from = options.from;
    this.#transport = createTransport({
      pool: true,
      url: options.url,
      maxConnections: options.maxConnections ?? 4,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: GREETING_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async send(message: MailMessage): Promise<void> {
    try {
      await this.#transport.sendMail({
        from: this.#from,
        // An object is one address and is never parsed as a list.
        to: { name: '', address: message.to },
        subject: message.subject,
        text: message.text,
        html: message.html,
        // RFC 3834 section 5: keeps out-of-office replies away from the sender's mailbox.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      });
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

/** What nodemailer tells about a failure besides its message. */
interface SmtpFailure extends Error {
  code?: unknown;
  command?: unknown;
  responseCode?: unknown;
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
