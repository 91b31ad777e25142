import type { MailContent } from './mail-content.js';
import type { MailKind } from './mail-kind.js';

export interface MailMessage extends MailContent {
  /** One bare address. */
  to: string;
  /** What it is about; undefined for a test mail. */
  kind?: MailKind | undefined;
}

/** Takes mail out of the house. */
export interface Mailer {
  /**
   * Hands the mail over; resolves once the other side is answerable for it.
   * @throws MailRejectedError when trying again cannot help; any other error means "later".
   */
  send(message: MailMessage): Promise<void>;
  /** Rejects when mail could not be handed over just now. */
  verify?(): Promise<void>;
  close(): void;
}

/** The mail was refused for good: an unknown mailbox, content that is not taken. */
export class MailRejectedError extends Error {
  override readonly name = 'MailRejectedError';
}
