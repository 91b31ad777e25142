import { setTimeout as sleep } from 'node:timers/promises';
import { sharedNow } from './shared-clock.js';

const PAUSE_MS = 20;

interface Step {
  from: number;
  to: number;
}

/** The durations of small requests and the delays of timers of this process: the slowness of the machine itself. */
export class Stalls {
  readonly #steps: Step[] = [];
  #isStopped = false;
  readonly #running: Promise<unknown>;

  /** @param probes requests that wait for nothing, to each process that takes part. Failures count as steps too. */
  constructor(probes: readonly (() => Promise<unknown>)[]) {
    this.#running = Promise.all(probes.map((probe) => this.#repeat(probe)));
  }

  /** Milliseconds of the longest step that overlaps a period. */
  longestIn(from: number, to: number): number {
    const during = this.#steps.filter((step) => step.to >= from && step.from <= to);
    return Math.max(0, ...during.map((step) => step.to - step.from));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #repeat(probe: () => Promise<unknown>): Promise<void> {
    while (!this.#isStopped) {
      const from = sharedNow();
      await sleep(PAUSE_MS);
      await probe().catch(() => undefined);
      this.#steps.push({ from: from + PAUSE_MS, to: sharedNow() });
    }
  }
}
