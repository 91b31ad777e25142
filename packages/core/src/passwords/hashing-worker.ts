import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import {
  STOP,
  type HashingJob,
  type HashingResult,
  type WorkerAnswer,
  type WorkerReady,
  type WorkerStart,
} from './hashing-protocol.js';

/** Longer than loading an engine or the longest job takes. */
const STOP_TIMEOUT_MS = 3_000;
/** The end of a thread of low priority takes as long as a starved machine makes it: a stop does not wait for that. */
const END_TIMEOUT_MS = 3_000;

interface PendingMessage {
  resolve(message: unknown): void;
  reject(error: Error): void;
}

/** A worker thread that runs one job at a time. If the thread ends, its pending job is rejected. */
export class HashingWorker {
  /** Resolves with the facts about the thread when it can work; rejects if it cannot start. */
  readonly ready: Promise<WorkerReady>;
  /** Resolves when the thread has ended, for any reason. */
  readonly exited: Promise<void>;
  readonly #thread: Worker;
  #pending: PendingMessage | undefined;
  #exitReason: Error | undefined;
  #becameReady = false;

  constructor(script: URL, start: WorkerStart) {
    // Loaders and inspectors of the host process would slow the start of the thread; plain JavaScript needs none.
    this.#thread = new Worker(script, { workerData: start, execArgv: [], name: 'latchkey-password' });
    this.#thread.on('message', (message: unknown) => this.#takePending()?.resolve(message));
    this.#thread.on('error', (error) => this.#fail(error));
    this.exited = new Promise((resolve) => {
      this.#thread.on('exit', (code) => {
        this.#fail(new Error(`A password worker ended with code ${code}.`));
        resolve();
      });
    });
    this.ready = this.#awaitReady();
  }

  get isAlive(): boolean {
    return this.#exitReason === undefined;
  }

  /** Reason why the thread ended; undefined while it runs. */
  get exitReason(): Error | undefined {
    return this.#exitReason;
  }

  /** True once the thread was ready for work. */
  get becameReady(): boolean {
    return this.#becameReady;
  }

  /** @throws Error when the engine fails or the thread ends first. */
  async run(job: HashingJob): Promise<HashingResult> {
    this.#thread.ref();
    try {
      const reply = this.#nextMessage();
      this.#thread.postMessage(job);
      const answer = (await reply) as WorkerAnswer;
      if ('failure' in answer) throw new Error(answer.failure);
      return answer.result;
    } finally {
      this.#thread.unref();
    }
  }

  /**
   * Asks the thread to end between jobs. Terminating a thread while it loads or runs native code could crash the whole
   * process, so only a thread that does not respond within 3 seconds is terminated. Resolves after 6 seconds at the latest.
   */
  async stop(): Promise<void> {
    const hasEnded = this.ready
      .then(
        () => this.#requestStop(),
        () => this.exited,
      )
      .then(() => true);
    if (await within(STOP_TIMEOUT_MS, hasEnded)) return;
    await within(END_TIMEOUT_MS, this.#thread.terminate());
  }

  #requestStop(): Promise<void> {
    this.#thread.ref();
    this.#thread.postMessage(STOP);
    return this.exited;
  }

  async #awaitReady(): Promise<WorkerReady> {
    const ready = (await this.#nextMessage()) as WorkerReady;
    this.#becameReady = true;
    // An idle worker must not keep the process alive.
    this.#thread.unref();
    return ready;
  }

  #nextMessage(): Promise<unknown> {
    if (this.#exitReason) return Promise.reject(this.#exitReason);
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
    });
  }

  #takePending(): PendingMessage | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }

  #fail(error: Error): void {
    this.#exitReason ??= error;
    this.#takePending()?.reject(this.#exitReason);
  }
}

/** Returns the result of the work, or undefined if it takes longer than the milliseconds. */
const within = <T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> =>
  Promise.race([work, sleep(milliseconds, undefined, { ref: false })]);
