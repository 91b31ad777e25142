import type { Readable } from '../kernel/open-list.js';
import type { MailKind } from './mail-kind.js';

/**
 * The states of a mail in the outbox. `retrying`: it failed and is tried again. `failed`: it was given up. `skipped`: its
 * cause no longer existed when it was due.
 * @example
 * ```ts
 * const options = OUTBOX_STATES.map((state) => `<option>${state}</option>`);
 * options[0]; // → '<option>waiting</option>'
 * ```
 */
export const OUTBOX_STATES = ['waiting', 'retrying', 'failed', 'sent', 'skipped'] as const;
/**
 * The state of a mail: `retrying` failed and is tried again, `failed` was given up, and the cause of `skipped` no longer
 * existed when it was due.
 * @example
 * ```ts
 * const isDone = (state: OutboxState): boolean => state === 'sent' || state === 'skipped';
 * isDone('retrying'); // → false
 * ```
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
