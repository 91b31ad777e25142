import type { LateMailKind, MailCompletions, QueuedMail } from './mail-kind.js';

/** Completes mail of one kind at the moment it is sent, with a one-time link or a count. */
export interface MailSource<K extends LateMailKind = LateMailKind> {
  /**
   * Returns what the text lacks; a one-time secret is stored as a digest, committed, before it is returned. Returns
   * `skip` when the cause of the mail no longer exists. Runs again for every attempt, so the newest secret must be the
   * one that works. After an error the mail is tried again later.
   */
  complete(mail: QueuedMail<K>): Promise<MailCompletions[K] | 'skip'>;
}

export type MailSources = { readonly [K in LateMailKind]: MailSource<K> };
