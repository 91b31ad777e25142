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

/** More than loading an engine takes, or the longest job. */
const ENDS_WITHIN_MILLISECONDS = 3_000;

interface Expectation {
  resolve(message: unknown): void;
  reject(error: Error): void;
}

/** One worker thread that does one job at a time. A thread that is gone rejects whatever was asked of it. */
export class HashingWorker {
  /** What the thread says of itself once it can work; rejects when it cannot start. */
  readonly ready: Promise<WorkerReady>;
  /** Resolves when the thread has ended, for whatever reason. */
  readonly exited: Promise<void>;
  readonly #thread: Worker;
  #expectation: Expectation | undefined;
  #end: Error | undefined;
  #becameReady = false;

  constructor(script: URL, start: WorkerStart) {
    // Loaders and inspectors of the host process slow the thread's start and are of no use to plain JavaScript.
    this.#thread = new Worker(script, { workerData: start, execArgv: [], name: 'latchkey-password' });
    this.#thread.on('message', (message: unknown) => this.#takeExpectation()?.resolve(message));
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
    return this.#end === undefined;
  }

  /** Why the thread is gone; undefined while it lives. */
  get endedBy(): Error | undefined {
    return this.#end;
  }

  /** Whether the thread ever got as far as working. */
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
   * Lets the thread end by itself, between jobs. To terminate it while it loads or runs native code could tear down
   * what that code stands on, and the whole process with it; so that is done only to one that does not listen.
   */
  async stop(): Promise<void> {
    const hasEnded = this.ready
      .then(
        () => this.#endByItself(),
        () => this.exited,
      )
      .then(() => true);
    const isLate = sleep(ENDS_WITHIN_MILLISECONDS, false, { ref: false });
    if (!(await Promise.race([hasEnded, isLate]))) await this.#thread.terminate();
  }

  #endByItself(): Promise<void> {
    this.#thread.ref();
    this.#thread.postMessage(STOP);
    return this.exited;
  }

  async #awaitReady(): Promise<WorkerReady> {
    const ready = (await this.#nextMessage()) as WorkerReady;
    this.#becameReady = true;
    // An idle worker must not keep a process alive whose other work is done.
    this.#thread.unref();
    return ready;
  }

  #nextMessage(): Promise<unknown> {
    if (this.#end) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => {
      this.#expectation = { resolve, reject };
    });
  }

  #takeExpectation(): Expectation | undefined {
    const expectation = this.#expectation;
    this.#expectation = undefined;
    return expectation;
  }

  #fail(error: Error): void {
    this.#end ??= error;
    this.#takeExpectation()?.reject(this.#end);
  }
}
