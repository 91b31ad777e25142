import type { TrustedActor } from '@latchkey/core/internal/kernel/actor';
import type { ClientInfo } from '@latchkey/core/internal/kernel/client-info';
import type { RetentionKind } from './retention.js';

/** The kinds of rows to clean up, and their minimum age. */
export interface CleanupRequest {
  /** Seconds for which rows are kept after their end. Other kinds have their default; for audit rows indefinitely. */
  keep?: Partial<Record<RetentionKind, number | undefined>>;
  /** These kinds only. */
  only?: readonly RetentionKind[] | undefined;
}

/** A clean-up to run, with its options. */
export interface CleanupOrder extends CleanupRequest {
  /** The actor in the audit log. Defaults to `machine:maintenance`. */
  actor?: TrustedActor;
  client?: ClientInfo;
  /** Rows scanned in one transaction, 1–20,000. Defaults to 5,000. */
  batchSize?: number | undefined;
  /** Pause between two transactions, 0–60,000. Defaults to 0. */
  pauseMs?: number | undefined;
  /** Aborting it ends the clean-up after the current transaction. */
  signal?: AbortSignal | undefined;
}

/** The rows of one kind that a clean-up would remove. Times are ISO 8601. */
export interface CleanupPlan {
  kind: RetentionKind;
  /** Seconds for which these rows are kept after their end. */
  keep: number;
  /** Rows that ended later are kept. */
  before: string;
  count: number;
  /** Ends of the first and the last of them; null without any. */
  oldest: string | null;
  newest: string | null;
  /** Size of the rows, without indexes. */
  bytes: number;
}

/** The number of removed rows by kind; `isComplete` is false if the clean-up was aborted. */
export interface CleanupResult {
  removed: Partial<Record<RetentionKind, number>>;
  isComplete: boolean;
}

/** Receives the number of rows that were found or removed so far, of all kinds together. */
export type CleanupProgress = (rows: number) => void;
