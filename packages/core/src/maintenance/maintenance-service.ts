import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { TrustedActor } from '../kernel/actor.js';
import { unknownClient } from '../kernel/client-info.js';
import { fieldError } from '../kernel/validation-error.js';
import type { Database } from '../storage/database.js';
import { isoOf, toPlan, type Task } from './cleanup-task.js';
import { measureLeg, removeBatch, START, type Batch, type Leg, type Mark } from './cleanup-walk.js';
import type { CleanupOrder, CleanupPlan, CleanupProgress, CleanupRequest, CleanupResult } from './cleanup.js';
import { keepTimesOf } from './keep-times.js';
import type { Measure, RetentionRepository } from './retention-repository.js';
import type { Retention } from './retention.js';
import { Tally } from './tally.js';

const BATCH_SIZE = { usual: 5_000, most: 20_000 };
const LONGEST_PAUSE = 60_000;
const HOST: TrustedActor = { kind: 'machine', name: 'maintenance' };

interface MaintenanceServiceDeps {
  readonly database: Database;
  readonly rows: RetentionRepository;
  readonly audit: AuditRepository;
}

/**
 * Removes what is past its use: sessions, reset tokens, invitations and mail that ended long ago, and audit rows on
 * request. What still has an effect stays, whatever is asked for. Any number of clean-ups may run at the same time.
 */
export class MaintenanceService {
  readonly #deps: MaintenanceServiceDeps;
  readonly #retentions: readonly Retention[];

  constructor(deps: MaintenanceServiceDeps, retentions: readonly Retention[]) {
    this.#deps = deps;
    this.#retentions = retentions;
  }

  /**
   * What `run` would remove now; changes nothing.
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
   * Removes rows in short transactions. Each that removes any writes an audit row of its own, `cleanup`, with their
   * numbers by kind. What has come to its end meanwhile is left for the next time.
   * @throws AuthError `validation_error`, `service_unavailable`; what was removed before that is gone.
   */
  async run(order: CleanupOrder = {}, onProgress?: CleanupProgress): Promise<CleanupResult> {
    const { batchSize = BATCH_SIZE.usual, pauseMs = 0, signal } = order;
    assertWithin('batchSize', batchSize, 1, BATCH_SIZE.most);
    assertWithin('pauseMs', pauseMs, 0, LONGEST_PAUSE);
    const tasks = await this.#tasksOf(order);
    const tally = new Tally(tasks.map(({ kind }) => kind));
    let mark: Mark | undefined = START;
    while (mark && signal?.aborted !== true) {
      const batch: Batch = await this.#removeBatch(tasks, mark, batchSize, order);
      tally.add(batch.removed);
      onProgress?.(tally.total);
      mark = batch.next;
      if (mark) await pause(pauseMs, signal);
    }
    return { removed: tally.byKind, isComplete: !mark };
  }

  async #tasksOf(request: CleanupRequest): Promise<Task[]> {
    const times = keepTimesOf(request, this.#retentions);
    const limits = await this.#deps.rows.limitsOf(times.map(({ keep }) => keep));
    return times.map((time, index) => ({ ...time, limit: limits[index] ?? '' }));
  }

  async #measure(task: Task, onFound: (count: number) => void): Promise<Measure[]> {
    const measures: Measure[] = [];
    for (const leg of this.#legsOf([task])) {
      for await (const measure of measureLeg(leg, BATCH_SIZE.most)) {
        measures.push(measure);
        onFound(measure.count);
      }
    }
    return measures;
  }

  #legsOf(tasks: readonly Task[]): Leg[] {
    return tasks.flatMap(({ kind, limit }) =>
      this.#deps.rows.all.filter((rows) => rows.kind === kind).map((rows) => ({ rows, limit })),
    );
  }

  #removeBatch(tasks: readonly Task[], from: Mark, size: number, order: CleanupOrder): Promise<Batch> {
    const { actor = HOST, client = unknownClient } = order;
    return this.#deps.database.transaction(async (trx) => {
      const batch = await removeBatch(this.#legsOf(tasks), from, size, trx);
      if (batch.removed.size > 0) {
        const details = detailsOf(tasks, batch.removed);
        await this.#deps.audit.insert({ event: 'cleanup', outcome: 'success', actor, client, details }, trx);
      }
      return batch;
    });
  }
}

/** How many rows of each kind, and up to which end. */
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

/** Ends early, and quietly, when the clean-up is told to stop. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds > 0) await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
