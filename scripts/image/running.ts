import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A process, what it has written, and how it ended. */
export class Running {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #output = '';

  constructor(child: ChildProcess, input = '') {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    }
    child.stdin?.end(input);
    this.#ended = once(child, 'close');
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Everything it wrote so far, both streams. */
  get output(): string {
    return this.#output;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Its exit code, or the signal that ended it; after `milliseconds` it is killed. */
  async end(milliseconds: number): Promise<number | NodeJS.Signals> {
    const impatience = setTimeout(() => this.signal('SIGKILL'), milliseconds);
    await this.#ended;
    clearTimeout(impatience);
    return this.#child.exitCode ?? this.#child.signalCode ?? 1;
  }
}
