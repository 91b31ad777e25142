import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { LoadReply } from './load-process.js';
import type { AnyLoad, LoadResult } from './load.js';

/** Seconds beyond the load's own that its last responses may take. */
const PATIENCE_SECONDS = 60;

/** A process that sends requests. It runs one load at a time; open a second driver for simultaneous loads. */
export class LoadDriver {
  readonly pid: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.pid = child.pid ?? 0;
  }

  /** Starts the process, which ends with ours. */
  static async start(): Promise<LoadDriver> {
    const child = fork(new URL('./load-process.ts', import.meta.url), {
      execArgv: ['--conditions=latchkey-source', '--import', 'tsx'],
    });
    await once(child, 'spawn');
    return new LoadDriver(child);
  }

  /**
   * Runs a load and returns its counts and latencies.
   * @throws Error when a request failed, or its status was not a success, or the load process ended or got stuck.
   */
  async drive(load: AnyLoad): Promise<LoadResult> {
    const done = new AbortController();
    const tooLong = AbortSignal.timeout((load.seconds + PATIENCE_SECONDS) * 1000);
    const signal = AbortSignal.any([done.signal, tooLong]);
    const reply = Promise.race([
      once(this.#child, 'message', { signal }) as Promise<[LoadReply]>,
      once(this.#child, 'exit', { signal }).then((): [LoadReply] => [{ failure: 'the load process ended' }]),
    ]);
    this.#child.send(load);
    const [outcome] = await reply.finally(() => done.abort());
    if ('failure' in outcome) throw new Error(`${load.method ?? 'GET'} ${load.url}: ${outcome.failure}`);
    return outcome.result;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.disconnect();
    await exited;
  }
}
