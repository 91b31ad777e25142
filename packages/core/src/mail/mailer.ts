import type { MailContent } from './mail-content.js';
import type { MailKind } from './mail-kind.js';

/** The transports of mail: `app` is a function of the app; `off` in production without SMTP, because the inbox would log links. */
export const MAIL_TRANSPORTS = ['smtp', 'app', 'inbox', 'off'] as const;
export type MailTransport = (typeof MAIL_TRANSPORTS)[number];

/** Marks the error of any copy of this package. */
const BRAND = Symbol.for('latchkey.MailRejectedError');

/** A mail to one recipient. */
export interface AddressedMail extends MailContent {
  /** One bare address. */
  to: string;
}

export interface MailMessage extends AddressedMail {
  /** That of the outbox, the same for every attempt. */
  id: string;
  kind: MailKind;
}

/** Sends mail to other systems. */
export interface Mailer {
  /**
   * Sends the mail; resolves once the other side has accepted it.
   * @throws MailRejectedError when a retry cannot succeed; after any other error the mail is retried.
   */
  send(message: MailMessage): Promise<void>;
  /** Rejects when mail cannot be sent at the moment. */
  verify?(): Promise<void>;
  close(): void;
}

/**
 * The mail was rejected permanently, for an unknown mailbox or its content. A function of the app throws it when another attempt
 * cannot succeed: the mail is given up.
 * @example
 * ```ts
 * const error = new MailRejectedError('The mailbox does not exist.');
 * error.name; // → 'MailRejectedError'
 * ```
 */
export class MailRejectedError extends Error {
  override readonly name = 'MailRejectedError';

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }

  /** Also returns true for the error of another copy of this package, which `instanceof` does not know. */
  static is(value: unknown): value is MailRejectedError {
    return typeof value === 'object' && value !== null && BRAND in value && value[BRAND] === true;
  }
}
