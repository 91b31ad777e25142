import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../kernel/logger.js';

/** The result of one attempt. `skipped`: the cause no longer exists; `dead`: given up; `retry`: tried again after some time. */
export type DeliveryResult =
  | { readonly status: 'sent' }
  | { readonly status: 'skipped' }
  | { readonly status: 'dead'; readonly reason: string }
  | { readonly status: 'retry'; readonly reason: string; readonly inSeconds: number };

/** The items that are delivered, and their rows. */
export interface DeliveryQueue<Item, Result extends DeliveryResult = DeliveryResult> {
  /** The name in the log, such as `mail outbox`. */
  readonly name: string;
  /** Claims the item that has been due longest, for this worker alone until the lease expires. */
  claim(): Promise<Item | undefined>;
  /** Makes one attempt. Never throws for a failure of the receiver. */
  attempt(item: Item): Promise<Result>;
  /** Records the result of the claim, unless a later claim or a result came first. */
  record(item: Item, result: Result): Promise<void>;
  /** Runs attempt and record of one item, for tracing. */
  traced?(item: Item, work: () => Promise<void>): Promise<void>;
}

export interface DeliveryWorkerOptions {
  readonly logger: Logger;
  /** Interval in milliseconds between checks of the queue. Defaults to 2,000. */
  readonly pollMs?: number | undefined;
  /** Maximum number of items delivered at the same time. Defaults to 4. */
  readonly concurrency?: number | undefined;
}

/**
 * Delivers the items of a queue in the database. Any number of workers may run on one database: one at a time claims an item, and
 * the claim of a crashed worker expires. An item is delivered at least once; twice only if the result of a delivery could not be
 * recorded.
 */
export class DeliveryWorker<Item, Result extends DeliveryResult = DeliveryResult> {
  readonly #queue: DeliveryQueue<Item, Result>;
  readonly #options: DeliveryWorkerOptions;
  readonly #lanes = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  /** The number of claims that were begun. */
  #claims = 0;
  /** Defined while the queue cannot be reached: the number of claims that were begun before the last failure. */
  #awaySince: number | undefined;

  constructor(queue: DeliveryQueue<Item, Result>, options: DeliveryWorkerOptions) {
    this.#queue = queue;
    this.#options = options;
  }

  /**
   * Starts the checks, the first one within the interval: workers of one process, and replicas that start together, check at
   * different times, so that none opens a connection only because all check at once.
   */
  start(): void {
    if (this.#timer) return;
    const { pollMs = 2_000 } = this.#options;
    const begin = (): void => {
      this.#timer = setInterval(() => this.wake(), pollMs).unref();
      this.wake();
    };
    this.#timer = setTimeout(begin, Math.random() * pollMs).unref();
  }

  /** Checks the queue now. Call it after a commit that queued an item; a busy worker ignores it. */
  wake(): void {
    if (!this.#timer || this.#lanes.size >= (this.#options.concurrency ?? 4)) return;
    const lane = this.#runLane().finally(() => this.#lanes.delete(lane));
    this.#lanes.add(lane);
  }

  /** Claims no more items and waits for running deliveries, at most `timeoutMs`. */
  async stop(timeoutMs = 10_000): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    const timeout = delay(timeoutMs, undefined, { ref: false });
    await Promise.race([Promise.all(this.#lanes), timeout]);
  }

  /** Delivers one item after the other until none is due. Each claimed item starts another lane. */
  async #runLane(): Promise<void> {
    try {
      while (this.#timer) {
        const item = await this.#claim();
        if (item === undefined) return;
        this.wake();
        await this.#deliver(item);
      }
    } catch (error) {
      this.#noteAway(error);
    }
  }

  async #deliver(item: Item): Promise<void> {
    const work = async (): Promise<void> => {
      await this.#queue.record(item, await this.#queue.attempt(item));
    };
    await (this.#queue.traced ? this.#queue.traced(item, work) : work());
  }

  async #claim(): Promise<Item | undefined> {
    const claim = ++this.#claims;
    const claimed = await this.#queue.claim();
    this.#noteReached(claim);
    return claimed;
  }

  #noteAway(error: unknown): void {
    if (this.#awaySince === undefined)
      this.#options.logger.warn({ err: error }, `the ${this.#queue.name} cannot be reached; trying on`);
    this.#awaySince = this.#claims;
  }

  /** A claim that was begun before the last failure, on a connection that still answered, shows nothing. */
  #noteReached(claim: number): void {
    if (this.#awaySince === undefined || claim <= this.#awaySince) return;
    this.#awaySince = undefined;
    this.#options.logger.info({}, `the ${this.#queue.name} is reachable again`);
  }
}
