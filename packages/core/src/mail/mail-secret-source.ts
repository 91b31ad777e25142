import type { LinkMailKind, QueuedMail } from './mail-kind.js';

export interface OneTimeLink {
  /** Absolute address, built from settings only. */
  url: string;
  /** Seconds from now for which the link works. */
  lifetime: number;
  /** When it stops working, by the database's clock; where the mail names the day. */
  expiresAt?: Date;
}

/**
 * Makes the one-time secret of a mail that is about to be sent: stores its digest, committed, and returns the
 * link; `'skip'` when the cause no longer stands. Runs again for every attempt, so the newest secret must be
 * the one that works. May throw: the mail is then tried again later.
 */
export type MailSecretSource<K extends LinkMailKind = LinkMailKind> = (
  mail: QueuedMail<K>,
) => Promise<OneTimeLink | 'skip'>;

export type MailSecretSources = { [K in LinkMailKind]: MailSecretSource<K> };
