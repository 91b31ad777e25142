import type { TrustedActor } from '../kernel/actor.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { RetentionKind } from './retention.js';

/**
 * What is to be cleaned up, and how old it must be.
 * @example
 * ```ts
 * const request: CleanupRequest = { only: ['sessions', 'mail'], keep: { mail: 14 * 86_400 } };
 * const plans = await kit.auth.maintenance.plan(request);
 * plans.map(({ kind }) => kind); // → ['sessions', 'mail']
 * ```
 */
export interface CleanupRequest {
  /** Seconds for which rows stay after their end. Kinds left out stay as long as usual; audit rows for ever. */
  keep?: Partial<Record<RetentionKind, number | undefined>>;
  /** These kinds only. */
  only?: readonly RetentionKind[] | undefined;
}

/**
 * A clean-up that is to be done, and how.
 * @example
 * ```ts
 * const nightly: CleanupOrder = { batchSize: 1_000, pauseMs: 50, actor: { kind: 'machine', name: 'cron' } };
 * (await kit.auth.maintenance.run(nightly)).isComplete; // → true
 * ```
 */
export interface CleanupOrder extends CleanupRequest {
  /** Whom the audit log names; `machine:maintenance` unless told otherwise. */
  actor?: TrustedActor;
  client?: ClientInfo;
  /** Rows looked at in one transaction, 1–20,000; 5,000 unless told otherwise. */
  batchSize?: number | undefined;
  /** Between two transactions, 0–60,000; none unless told otherwise. */
  pauseMs?: number | undefined;
  /** Aborting it ends the clean-up after the transaction that runs. */
  signal?: AbortSignal | undefined;
}

/**
 * What a clean-up would remove of one kind. Times are ISO 8601.
 * @example
 * ```ts
 * const bytesOf = (plans: readonly CleanupPlan[]): number => plans.reduce((sum, { bytes }) => sum + bytes, 0);
 * bytesOf(await kit.auth.maintenance.plan({ only: ['resets'] })); // → 0
 * ```
 */
export interface CleanupPlan {
  kind: RetentionKind;
  /** Seconds for which these rows stay after their end. */
  keep: number;
  /** What ended later than that stays. */
  before: string;
  count: number;
  /** When the first and the last of them came to their end; null when there are none. */
  oldest: string | null;
  newest: string | null;
  /** Of the rows themselves; indexes take more. */
  bytes: number;
}

/**
 * What a clean-up has removed, by kind, and whether it was told to stop before the end.
 * @example
 * ```ts
 * const rowsOf = ({ removed }: CleanupResult): number =>
 *   Object.values(removed).reduce((sum, count) => sum + count, 0);
 * rowsOf({ removed: { sessions: 12, mail: 3 }, isComplete: true }); // → 15
 * ```
 */
export interface CleanupResult {
  removed: Partial<Record<RetentionKind, number>>;
  isComplete: boolean;
}

/**
 * Told how many rows were found or removed so far, of all kinds together.
 * @example
 * ```ts
 * const counts: number[] = [];
 * const onProgress: CleanupProgress = (rows) => void counts.push(rows);
 * await kit.auth.maintenance.plan({ only: ['mail'] }, onProgress);
 * ```
 */
export type CleanupProgress = (rows: number) => void;
