import type { LateMailKind, QueuedMail } from './mail-kind.js';

export interface OneTimeLink {
  /** Absolute address, built from settings only. */
  url: string;
  /** Seconds from now for which the link works. */
  lifetime: number;
  /** When it stops working, by the database's clock; where the mail names the day. */
  expiresAt?: Date;
}

/** What is counted when a mail to those who approve is about to be sent. */
export interface WaitingApprovals {
  /** At least 1. */
  waiting: number;
}

/** What completes each kind. */
export interface MailCompletions {
  invitation: OneTimeLink;
  password_reset: OneTimeLink;
  email_verification: OneTimeLink;
  approval_waiting: WaitingApprovals;
}

/**
 * Makes the one-time secret of a mail that is about to be sent: stores its digest, committed, and returns the
 * link; `'skip'` when the cause no longer stands. Runs again for every attempt, so the newest secret must be
 * the one that works. May throw: the mail is then tried again later.
 */
export type MailSecretSource<K extends LateMailKind = LateMailKind> = (
  mail: QueuedMail<K>,
) => Promise<MailCompletions[K] | 'skip'>;

export type MailSecretSources = { [K in LateMailKind]: MailSecretSource<K> };
