import { AuthError } from '../kernel/auth-error.js';
import type { Logger } from '../kernel/logger.js';
import { unobserved, type Observer } from '../kernel/observer.js';
import { FairQueue } from './fair-queue.js';
import type { HashingEngine, HashingJob, HashingResult, WorkerReady } from './hashing-protocol.js';
import { HashingWorker } from './hashing-worker.js';

export interface HashingPoolOptions {
  /** The worker's JavaScript. */
  script: URL;
  /** Number of threads, at least 1. */
  size: number;
  /** Jobs that may wait for a thread; one more is refused, and so is one more of a bucket that holds a quarter. */
  maxQueue: number;
  /** Milliseconds a job may wait before it is refused. */
  maxWaitMs: number;
  engines: readonly HashingEngine[];
  logger: Logger;
  observer?: Observer | undefined;
}

interface WaitingJob {
  accept(worker: HashingWorker): void;
  refuse(error: AuthError): void;
}

/** The bucket of jobs of which it is not known for whom they are. */
export const SHARED_BUCKET = 'unknown';

/** Pause before a thread that never became ready is tried again, in milliseconds. */
const RESTART_DELAY_MS = 1000;

/**
 * A fixed set of worker threads behind a bounded queue. Each job is of a bucket: buckets take turns, and none holds more
 * than a quarter of the queue, so that one caller cannot take the threads away from all others. What finds no room, waits too long or loses its thread
 * fails with `service_unavailable`; a thread that is lost is replaced, and the jobs that wait go on.
 */
export class HashingPool {
  readonly #options: HashingPoolOptions;
  readonly #observer: Observer;
  readonly #workers = new Set<HashingWorker>();
  readonly #idle = new Set<HashingWorker>();
  readonly #running = new Map<HashingWorker, Promise<HashingResult>>();
  readonly #waiting: FairQueue<WaitingJob>;
  #closing: Promise<void> | undefined;

  private constructor(options: HashingPoolOptions) {
    this.#options = options;
    this.#observer = options.observer ?? unobserved;
    this.#waiting = new FairQueue(options.maxQueue);
  }

  /** Resolves with the first thread that is ready. @throws Error when none can start. */
  static async start(options: HashingPoolOptions): Promise<{ pool: HashingPool; ready: WorkerReady }> {
    const pool = new HashingPool(options);
    const starts = Array.from({ length: options.size }, () => pool.#addWorker());
    try {
      return { pool, ready: await Promise.any(starts) };
    } catch (error) {
      await pool.close();
      throw error instanceof AggregateError ? error.errors[0] : error;
    }
  }

  /** Jobs that wait for a thread. */
  get queueDepth(): number {
    return this.#waiting.size;
  }

  /** Threads that are there and ready, or about to be. */
  get threadCount(): number {
    return this.#workers.size;
  }

  /** Jobs that can be in hand at once, running or waiting: of all buckets together, and of one. */
  get capacity(): { total: number; ofBucket: number } {
    const { size, maxQueue } = this.#options;
    return { total: size + maxQueue, ofBucket: size + this.#waiting.share };
  }

  /** Jobs that are being worked on. */
  get activeCount(): number {
    return this.#running.size;
  }

  /**
   * Throws what a job of this bucket would meet now, without any work.
   * @throws AuthError `service_unavailable` when no thread is free and the bucket may have no more jobs wait.
   */
  assertRoom(bucket: string): void {
    if (this.#idle.size === 0 && !this.#waiting.hasRoom(bucket)) throw this.busy();
  }

  /** @throws AuthError `service_unavailable`. */
  async run(job: HashingJob, bucket: string = SHARED_BUCKET): Promise<HashingResult> {
    if (this.#closing) throw closed();
    const worker = first(this.#idle) ?? (await this.#waitForWorker(bucket));
    this.#idle.delete(worker);
    const startedAt = performance.now();
    const running = worker.run(job);
    this.#running.set(worker, running);
    try {
      const result = await running;
      this.#observer.passwordHashed(job.kind, (performance.now() - startedAt) / 1000);
      return result;
    } catch (error) {
      throw AuthError.unavailable('The password could not be processed. Please try again.', error);
    } finally {
      this.#running.delete(worker);
      this.#offer(worker);
    }
  }

  /** Refuses what waits, lets what runs finish, and ends the threads. Safe to call again. */
  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    for (const job of this.#waiting.drain()) job.refuse(closed());
    await Promise.allSettled(this.#running.values());
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
  }

  #waitForWorker(bucket: string): Promise<HashingWorker> {
    const { maxWaitMs } = this.#options;
    if (!this.#waiting.hasRoom(bucket)) return Promise.reject(this.busy());
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.#waiting.remove(bucket, job);
      };
      const job: WaitingJob = {
        accept: (worker) => {
          leave();
          resolve(worker);
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      const timer = setTimeout(() => job.refuse(this.busy()), maxWaitMs);
      this.#waiting.add(bucket, job);
    });
  }

  /** Gives a free thread to the next job. */
  #offer(worker: HashingWorker): void {
    if (!worker.isAlive || this.#closing) return;
    const job = this.#waiting.next();
    if (job) job.accept(worker);
    else this.#idle.add(worker);
  }

  async #addWorker(): Promise<WorkerReady> {
    const { script, engines } = this.#options;
    const worker = new HashingWorker(script, { engines });
    this.#workers.add(worker);
    void worker.exited.then(() => this.#replace(worker));
    const ready = await worker.ready;
    this.#offer(worker);
    return ready;
  }

  #replace(worker: HashingWorker): void {
    this.#workers.delete(worker);
    this.#idle.delete(worker);
    if (this.#closing) return;
    this.#options.logger.error({ err: worker.endedBy }, 'A password worker ended and is replaced.');
    const again = () => {
      if (!this.#closing) this.#addWorker().catch(() => undefined);
    };
    setTimeout(again, worker.becameReady ? 0 : RESTART_DELAY_MS).unref();
  }

  /** The refusal of a job that finds no room, counted. */
  busy(): AuthError {
    this.#observer.hashingRefused();
    const seconds = Math.max(1, Math.ceil(this.#options.maxWaitMs / 1000));
    return new AuthError('service_unavailable', 'Too many sign-ins at once. Please try again shortly.', {
      reason: 'too_busy',
      retryAfterSeconds: seconds,
    });
  }
}

function closed(): AuthError {
  return AuthError.unavailable('The service is shutting down.');
}

function first<T>(items: Set<T>): T | undefined {
  for (const item of items) return item;
  return undefined;
}
