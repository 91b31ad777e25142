import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** A stream that has events to write. */
export interface WaitingStream {
  /** Writes all of them. Returns at once and never throws. */
  flush(): void;
}

/** Streams that write without a pause; a write takes 10 to 30 µs. */
const SLICE = 50;
/** Writing may take a tenth of the time, */
const REST = 9;
/** unless a revocation would be late: together with the interval of the poller this stays below half a second. */
const MAX_REST_MS = 250;

/**
 * Lets streams write in turns, so that many of them do not hold up other requests: these are served between two slices. A
 * stream that gets more events before its turn writes all of them at once. After all have written comes a rest that is in
 * proportion to the effort: for few streams next to none, for a thousand some 200 ms.
 */
export class StreamTurns {
  #waiting = new Set<WaitingStream>();
  #isBusy = false;

  /** Asks for a turn. */
  add(stream: WaitingStream): void {
    this.#waiting.add(stream);
    if (this.#isBusy) return;
    this.#isBusy = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
      // Until then, everyone who gets the same event has asked.
      await nextTurn();
      const streams = [...this.#waiting];
      this.#waiting = new Set();
      const spentMs = await flushInSlices(streams);
      await sleep(Math.min(spentMs * REST, MAX_REST_MS), undefined, { ref: false });
    }
    this.#isBusy = false;
  }
}

/** Returns the milliseconds that it took, without those of other requests. */
async function flushInSlices(streams: readonly WaitingStream[]): Promise<number> {
  let spentMs = 0;
  for (let start = 0; start < streams.length; start += SLICE) {
    if (start > 0) await nextTurn();
    const beganAt = performance.now();
    for (const stream of streams.slice(start, start + SLICE)) stream.flush();
    spentMs += performance.now() - beganAt;
  }
  return spentMs;
}
