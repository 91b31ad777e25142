import type { Readable } from '../kernel/open-list.js';
import type { MailKind } from './mail-kind.js';

/** The states of a mail in the outbox; `OutboxState` describes each. */
export const OUTBOX_STATES = ['waiting', 'retrying', 'failed', 'sent', 'skipped'] as const;
/**
 * The state of a mail: `retrying` failed and is tried again, `failed` was given up, and the cause of `skipped` no longer
 * existed when it was due.
 */
export type OutboxState = (typeof OUTBOX_STATES)[number];

/** A mail of the outbox without its payload. */
export interface OutboxMail {
  id: string;
  kind: Readable<MailKind>;
  recipient: string;
  state: OutboxState;
  /** Number of attempts. */
  attempts: number;
  createdAt: Date;
  /** Null when there is no further attempt. */
  nextAttemptAt: Date | null;
  sentAt: Date | null;
  lastError: string | null;
}
