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
  kind: MailKind;
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

/**
 * The same with times in ISO 8601.
 * @example
 * ```ts
 * const lineOf = ({ kind, recipient, state }: OutboxMailView): string => `${kind} to ${recipient}: ${state}`;
 * const { email } = await kit.user();
 * await kit.auth.passwordReset.request({ email });
 * await kit.mail.waitFor(email);
 * const { items } = await kit.auth.admin.mail.list({ to: email });
 * items.map(lineOf)[0]?.startsWith(`password_reset to ${email}`); // → true
 * ```
 */
export interface OutboxMailView extends Omit<OutboxMail, 'createdAt' | 'nextAttemptAt' | 'sentAt'> {
  createdAt: string;
  nextAttemptAt: string | null;
  sentAt: string | null;
}

export const toOutboxMailView = (mail: OutboxMail): OutboxMailView => ({
  ...mail,
  createdAt: mail.createdAt.toISOString(),
  nextAttemptAt: mail.nextAttemptAt?.toISOString() ?? null,
  sentAt: mail.sentAt?.toISOString() ?? null,
});
