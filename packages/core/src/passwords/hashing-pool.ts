import { AuthError } from '../kernel/auth-error.js';
import type { Logger } from '../kernel/logger.js';
import { unobserved, type Observer } from '../kernel/observer.js';
import type { HashingEngine, HashingJob, HashingResult, WorkerReady } from './hashing-protocol.js';
import { HashingWorker } from './hashing-worker.js';

export interface HashingPoolOptions {
  /** The worker's JavaScript. */
  script: URL;
  /** Number of threads, at least 1. */
  size: number;
  /** Jobs that may wait for a thread; one more is refused. */
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

/** Pause before a thread that never became ready is tried again, in milliseconds. */
const RESTART_DELAY_MS = 1000;

/**
 * A fixed set of worker threads behind a bounded queue. What finds no room, waits too long or loses its thread
 * fails with `service_unavailable`; a thread that is lost is replaced, and the jobs that wait go on.
 */
export class HashingPool {
  readonly #options: HashingPoolOptions;
  readonly #observer: Observer;
  readonly #workers = new Set<HashingWorker>();
  readonly #idle = new Set<HashingWorker>();
  readonly #running = new Map<HashingWorker, Promise<HashingResult>>();
  readonly #waiting = new Set<WaitingJob>();
  #closing: Promise<void> | undefined;

  private constructor(options: HashingPoolOptions) {
    this.#options = options;
    this.#observer = options.observer ?? unobserved;
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

  /** Jobs that are being worked on. */
  get activeCount(): number {
    return this.#running.size;
  }

  /** @throws AuthError `service_unavailable`. */
  async run(job: HashingJob): Promise<HashingResult> {
    if (this.#closing) throw closed();
    const worker = first(this.#idle) ?? (await this.#waitForWorker());
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
    for (const job of [...this.#waiting]) job.refuse(closed());
    await Promise.allSettled(this.#running.values());
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
  }

  #waitForWorker(): Promise<HashingWorker> {
    const { maxQueue, maxWaitMs } = this.#options;
    if (this.#waiting.size >= maxQueue) return Promise.reject(this.#busy());
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.#waiting.delete(job);
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
      const timer = setTimeout(() => job.refuse(this.#busy()), maxWaitMs);
      this.#waiting.add(job);
    });
  }

  /** Gives a free thread to the job that waits longest. */
  #offer(worker: HashingWorker): void {
    if (!worker.isAlive || this.#closing) return;
    const job = first(this.#waiting);
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

  #busy(): AuthError {
    this.#observer.hashingRefused();
    const seconds = Math.max(1, Math.ceil(this.#options.maxWaitMs / 1000));
    return AuthError.unavailable('Too many sign-ins at once. Please try again shortly.', undefined, seconds);
  }
}

function closed(): AuthError {
  return AuthError.unavailable('The service is shutting down.');
}

function first<T>(items: Set<T>): T | undefined {
  for (const item of items) return item;
  return undefined;
}
