import { AuthError } from '../kernel/auth-error.js';
import type { Logger } from '../kernel/logger.js';
import type { Observer } from '../kernel/observer.js';
import { FairQueue } from './fair-queue.js';
import type { HashingEngine, HashingJob, HashingResult, WorkerReady } from './hashing-protocol.js';
import { HashingWorker } from './hashing-worker.js';

export interface HashingPoolOptions {
  /** URL of the worker's JavaScript file. */
  script: URL;
  /** Maximum number of threads, at least 1. */
  size: number;
  /** Maximum number of waiting jobs, a quarter of them of one bucket. Further jobs are rejected. */
  maxQueue: number;
  /** Milliseconds a job may wait before it is rejected. */
  maxWaitMs: number;
  engines: readonly HashingEngine[];
  logger: Logger;
  observer: Observer;
}

interface WaitingJob {
  accept(worker: HashingWorker): void;
  reject(error: AuthError): void;
}

/** Bucket of jobs without a known client address. */
export const SHARED_BUCKET = 'unknown';

/** Milliseconds before a thread that never became ready is started again. */
const RESTART_DELAY_MS = 1000;

/**
 * Worker threads behind a bounded queue: one at first, and another one whenever a job waits, up to a maximum. Each job belongs to
 * a bucket. Buckets take turns, and none holds more than a quarter of the queue, so one caller cannot occupy all threads. A job
 * fails with `service_unavailable` if the queue is full, if it waits too long or if its thread ends. A thread that ends is
 * replaced; waiting jobs are not affected.
 */
export class HashingPool {
  readonly #options: HashingPoolOptions;
  readonly #workers = new Set<HashingWorker>();
  readonly #idle = new Set<HashingWorker>();
  readonly #running = new Map<HashingWorker, Promise<HashingResult>>();
  readonly #waiting: FairQueue<WaitingJob>;
  /** Threads that have ended and are not started again yet. */
  #lost = 0;
  #closing: Promise<void> | undefined;

  private constructor(options: HashingPoolOptions) {
    this.#options = options;
    this.#waiting = new FairQueue(options.maxQueue);
  }

  /** Resolves when the first thread is ready. @throws Error if it cannot start. */
  static async start(options: HashingPoolOptions): Promise<{ pool: HashingPool; ready: WorkerReady }> {
    const pool = new HashingPool(options);
    try {
      return { pool, ready: await pool.#addWorker() };
    } catch (error) {
      await pool.close();
      throw error;
    }
  }

  /** Number of jobs that wait for a thread. */
  get queueDepth(): number {
    return this.#waiting.size;
  }

  /** Number of threads that are ready or starting. */
  get threadCount(): number {
    return this.#workers.size;
  }

  /** Maximum number of threads. */
  get maxThreads(): number {
    return this.#options.size;
  }

  /** Maximum number of running and waiting jobs: of all buckets together, and of one bucket. */
  get capacity(): { total: number; ofBucket: number } {
    const { size, maxQueue } = this.#options;
    return { total: size + maxQueue, ofBucket: size + this.#waiting.share };
  }

  /** Number of running jobs. */
  get activeCount(): number {
    return this.#running.size;
  }

  /**
   * Throws the error that a job of this bucket would get now, without doing any work.
   * @throws AuthError `service_unavailable` if no thread is free and the queue accepts no more jobs of the bucket.
   */
  assertCapacity(bucket: string): void {
    if (this.#idle.size === 0 && !this.#hasSpace(bucket)) throw this.countRejection();
  }

  /** Jobs may also wait for threads that are not ready yet, so that the capacity does not depend on how many have started. */
  #hasSpace(bucket: string): boolean {
    return this.#waiting.hasSpace(bucket, this.#options.size - this.#running.size);
  }

  /** Runs a job, after those that wait before it. @throws AuthError `service_unavailable`. */
  async run(job: HashingJob, bucket: string = SHARED_BUCKET): Promise<HashingResult> {
    if (this.#closing) throw closed();
    const worker = first(this.#idle) ?? (await this.#waitForWorker(bucket));
    this.#idle.delete(worker);
    const startedAt = performance.now();
    const running = worker.run(job);
    this.#running.set(worker, running);
    try {
      const result = await running;
      this.#options.observer.passwordHashed(job.kind, (performance.now() - startedAt) / 1000);
      return result;
    } catch (error) {
      throw AuthError.unavailable('The password could not be processed. Please try again.', error);
    } finally {
      this.#running.delete(worker);
      this.#offer(worker);
    }
  }

  /** Rejects waiting jobs, lets running ones finish, and ends the threads. Can be called more than once. */
  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    for (const job of this.#waiting.drain()) job.reject(closed());
    await Promise.allSettled(this.#running.values());
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
  }

  #waitForWorker(bucket: string): Promise<HashingWorker> {
    const { maxWaitMs } = this.#options;
    if (!this.#hasSpace(bucket)) return Promise.reject(this.countRejection());
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        this.#waiting.remove(bucket, job);
      };
      const job: WaitingJob = {
        accept: (worker) => {
          stopWaiting();
          resolve(worker);
        },
        reject: (error) => {
          stopWaiting();
          reject(error);
        },
      };
      const timer = setTimeout(() => job.reject(this.countRejection()), maxWaitMs);
      this.#waiting.add(bucket, job);
      this.#grow();
    });
  }

  /** Starts another thread for the jobs that wait, unless one starts already for each of them. */
  #grow(): void {
    const { size } = this.#workers;
    const starting = size - this.#idle.size - this.#running.size;
    if (size + this.#lost >= this.#options.size || this.#waiting.size <= starting) return;
    this.#addWorker().catch(() => undefined);
  }

  /** Assigns a free thread to the next job. */
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
    this.#options.logger.error({ err: worker.exitReason }, 'A password worker ended and is replaced.');
    this.#lost++;
    const restart = () => {
      this.#lost--;
      if (!this.#closing) this.#addWorker().catch(() => undefined);
    };
    setTimeout(restart, worker.becameReady ? 0 : RESTART_DELAY_MS).unref();
  }

  /** Counts a rejected job and returns its error. */
  countRejection(): AuthError {
    this.#options.observer.hashingRefused();
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
