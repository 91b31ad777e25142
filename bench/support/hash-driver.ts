import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { HashResult, HashWork } from './hash-process.js';

/** A process that hashes passwords with the service's hashing threads. */
export class HashDriver {
  readonly pid: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.pid = child.pid ?? 0;
  }

  static async start(threads: number): Promise<HashDriver> {
    const child = fork(new URL('./hash-process.ts', import.meta.url), {
      execArgv: ['--conditions=latchkey-source', '--import', 'tsx'],
      env: { ...process.env, HASHING_THREADS: String(threads) },
    });
    await once(child, 'message');
    return new HashDriver(child);
  }

  async drive(work: HashWork): Promise<HashResult> {
    const reply = once(this.#child, 'message') as Promise<[HashResult]>;
    this.#child.send(work);
    const [result] = await reply;
    return result;
  }

  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.disconnect();
    await exited;
  }
}
