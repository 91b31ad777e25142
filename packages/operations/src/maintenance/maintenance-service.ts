import { setTimeout as sleep } from 'node:timers/promises';
import type { ActivityCounter } from '@latchkey/core/internal/activity/activity-counter';
import type { AuditRepository } from '@latchkey/core/internal/audit/audit-repository';
import type { TrustedActor } from '@latchkey/core/internal/kernel/actor';
import { unknownClient } from '@latchkey/core/internal/kernel/client-info';
import { fieldError } from '@latchkey/core/internal/kernel/validation-error';
import type { Database, Transaction } from '@latchkey/core/internal/storage/database';
import type { CleanupOrder, CleanupPlan, CleanupProgress, CleanupRequest, CleanupResult } from './cleanup.js';
import { keepTimesOf, type KeepTime } from './keep-times.js';
import {
  BEFORE_FIRST_ROW,
  type Measure,
  type RetentionRepository,
  type RetentionRows,
  type RowPosition,
} from './retention-repository.js';
import type { Retention, RetentionKind } from './retention.js';

/** A scan of the rows of one kind along one path, up to the limit. */
interface RetentionScan {
  rows: RetentionRows;
  limit: string;
}

/** The position of a clean-up: the index of the scan, and the last scanned row. */
interface ScanCursor {
  scan: number;
  after: RowPosition;
}

/** The rows that one transaction has removed, and the next position. */
interface Batch {
  removed: Map<RetentionKind, number>;
  /** Undefined at the end. */
  next: ScanCursor | undefined;
}

const START: ScanCursor = { scan: 0, after: BEFORE_FIRST_ROW };

/** Measures the removable rows of a scan, a range of `size` rows at a time. */
async function* measureScan({ rows, limit }: RetentionScan, size: number): AsyncGenerator<Measure> {
  let after: RowPosition | undefined = BEFORE_FIRST_ROW;
  while (after) {
    const measure: Measure = await rows.measure({ after, limit, size });
    yield measure;
    after = measure.end;
  }
}

/** Removes the removable rows among the next ones, scan by scan, until about `size` rows were scanned or all are done. */
async function removeBatch(
  scans: readonly RetentionScan[],
  from: ScanCursor,
  size: number,
  trx: Transaction,
): Promise<Batch> {
  const removed: Batch['removed'] = new Map();
  let cursor = from;
  let scan = scans[cursor.scan];
  for (let remaining = size; scan && remaining > 0; scan = scans[cursor.scan]) {
    const { rows, limit } = scan;
    const { count, end } = await rows.remove({ after: cursor.after, limit, size: remaining }, trx);
    if (count > 0) removed.set(rows.kind, (removed.get(rows.kind) ?? 0) + count);
    remaining -= end ? remaining : count;
    cursor = end ? { scan: cursor.scan, after: end } : { scan: cursor.scan + 1, after: BEFORE_FIRST_ROW };
  }
  return { removed, next: scan && cursor };
}

const BATCH_SIZE = { default: 5_000, most: 20_000 };
const LONGEST_PAUSE = 60_000;
const HOST: TrustedActor = { kind: 'machine', name: 'maintenance' };

/**
 * Removes old rows: sessions, reset tokens, invitations, mail and revocations that ended long ago, and audit rows on
 * request. Rows
 * that still have an effect are kept, whatever the request. Any number of clean-ups may run at the same time.
 */
export class MaintenanceService {
  readonly #deps;
  readonly #retentions: readonly Retention[];

  constructor(
    deps: {
      readonly database: Database;
      readonly rows: RetentionRepository;
      readonly audit: AuditRepository;
      readonly activityCounter: Pick<ActivityCounter, 'catchUp'>;
    },
    retentions: readonly Retention[],
  ) {
    this.#deps = deps;
    this.#retentions = retentions;
  }

  /**
   * Returns the rows that `run` would remove now; changes nothing.
   * @throws AuthError `validation_error` for times that are too short, `service_unavailable`.
   */
  async plan(request: CleanupRequest = {}, onProgress?: CleanupProgress): Promise<CleanupPlan[]> {
    const plans: CleanupPlan[] = [];
    let found = 0;
    for (const task of await this.#tasksOf(request)) {
      const measures = await this.#measure(task, (count) => onProgress?.((found += count)));
      plans.push(toPlan(task, measures));
    }
    return plans;
  }

  /**
   * Removes rows in short transactions. Each transaction that removes any writes an audit row of its own, `cleanup`, with
   * their numbers by kind. Rows that end meanwhile are left for the next run.
   * @throws AuthError `validation_error`, `service_unavailable`; earlier transactions stay committed.
   */
  async run(order: CleanupOrder = {}, onProgress?: CleanupProgress): Promise<CleanupResult> {
    const { batchSize = BATCH_SIZE.default, pauseMs = 0, signal } = order;
    assertWithin('batchSize', batchSize, 1, BATCH_SIZE.most);
    assertWithin('pauseMs', pauseMs, 0, LONGEST_PAUSE);
    const tasks = await this.#tasksOf(order);
    // The numbers by day are counted from rows that a clean-up may remove.
    if (tasks.some(({ kind }) => kind === 'audit')) await this.#deps.activityCounter.catchUp();
    const removed = new Map<RetentionKind, number>(tasks.map(({ kind }) => [kind, 0]));
    let total = 0;
    let cursor: ScanCursor | undefined = START;
    while (cursor && signal?.aborted !== true) {
      const batch: Batch = await this.#removeBatch(tasks, cursor, batchSize, order);
      for (const [kind, count] of batch.removed) {
        removed.set(kind, (removed.get(kind) ?? 0) + count);
        total += count;
      }
      onProgress?.(total);
      cursor = batch.next;
      if (cursor) await pause(pauseMs, signal);
    }
    return { removed: Object.fromEntries(removed), isComplete: !cursor };
  }

  async #tasksOf(request: CleanupRequest): Promise<Task[]> {
    const times = keepTimesOf(request, this.#retentions);
    const limits = await this.#deps.rows.limitsOf(times.map(({ keep }) => keep));
    return times.map((time, index) => ({ ...time, limit: limits[index] ?? '' }));
  }

  async #measure(task: Task, onFound: (count: number) => void): Promise<Measure[]> {
    const measures: Measure[] = [];
    for (const scan of this.#scansOf([task])) {
      for await (const measure of measureScan(scan, BATCH_SIZE.most)) {
        measures.push(measure);
        onFound(measure.count);
      }
    }
    return measures;
  }

  #scansOf(tasks: readonly Task[]): RetentionScan[] {
    return tasks.flatMap(({ kind, limit }) =>
      this.#deps.rows.all.filter((rows) => rows.kind === kind).map((rows) => ({ rows, limit })),
    );
  }

  #removeBatch(tasks: readonly Task[], from: ScanCursor, size: number, order: CleanupOrder): Promise<Batch> {
    const { actor = HOST, client = unknownClient } = order;
    return this.#deps.database.transaction(async (trx) => {
      const batch = await removeBatch(this.#scansOf(tasks), from, size, trx);
      if (batch.removed.size > 0) {
        const details = detailsOf(tasks, batch.removed);
        await this.#deps.audit.insert({ event: 'cleanup', outcome: 'success', actor, client, details }, trx);
      }
      return batch;
    });
  }
}

/** Returns the number of removed rows of each kind, and the limit of their ends. */
function detailsOf(tasks: readonly Task[], removed: Batch['removed']): Record<string, unknown> {
  const limits = tasks.filter(({ kind }) => removed.has(kind));
  return {
    removed: Object.fromEntries(removed),
    before: Object.fromEntries(limits.map(({ kind, limit }) => [kind, isoOf(limit)])),
  };
}

function assertWithin(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw fieldError(name, 'format', `must be a whole number from ${least} to ${most}`);
}

/** Waits; ends early, without an error, if the clean-up is aborted. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds > 0) await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** The clean-up of one kind: its rows that ended before the limit. */
interface Task extends KeepTime {
  /** Microseconds since the epoch. */
  limit: string;
}

/** Returns the sum of the measures of all ranges. */
function toPlan({ kind, keep, limit }: Task, measures: readonly Measure[]): CleanupPlan {
  const sumOf = (part: 'count' | 'bytes') => measures.reduce((sum, measure) => sum + measure[part], 0);
  return {
    kind,
    keep,
    before: isoOf(limit),
    count: sumOf('count'),
    oldest: measures.flatMap(({ oldest }) => oldest?.toISOString() ?? []).sort()[0] ?? null,
    newest:
      measures
        .flatMap(({ newest }) => newest?.toISOString() ?? [])
        .sort()
        .at(-1) ?? null,
    bytes: sumOf('bytes'),
  };
}

/** Returns the instant in ISO 8601, rounded down to the millisecond. */
const isoOf = (microseconds: string): string => new Date(Number(BigInt(microseconds) / 1000n)).toISOString();
