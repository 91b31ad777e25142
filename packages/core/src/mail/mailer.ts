import type { MailContent } from './mail-content.js';
import type { MailKind } from './mail-kind.js';

export interface MailMessage extends MailContent {
  /** One bare address. */
  to: string;
  /** Undefined for a test mail. */
  kind?: MailKind | undefined;
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

/** The mail was rejected permanently, for an unknown mailbox or its content. */
export class MailRejectedError extends Error {
  override readonly name = 'MailRejectedError';
}
