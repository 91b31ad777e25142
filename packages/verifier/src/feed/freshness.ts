import { momentOf, type Moment, type VerifierClock } from '../clock.js';

/** Without a sign of life for this long, the feed is stale. The service sends one every 5 seconds. */
export const STALE_AFTER_MS = 10_000;
/** Differences of the two clocks beyond this are a sleep of the machine, or a wall clock that was set. */
const JUMP_MS = 1_000;

/** The time since the service was last heard of. */
export class Freshness {
  readonly #clock: VerifierClock;
  #heardAt: Moment | undefined;

  constructor(clock: VerifierClock) {
    this.#clock = clock;
  }

  /** Wall time of the last sign of life, milliseconds since the epoch. */
  get heardAt(): number | undefined {
    return this.#heardAt?.now;
  }

  /**
   * Records a sign of life that was given at or after a moment. What a connection delivers first counts from the
   * start of its request, since it may have waited in a buffer or in a machine that slept.
   */
  hear(since: Moment = momentOf(this.#clock)): void {
    this.#heardAt = since;
  }

  /**
   * Returns the milliseconds since the last sign of life, Infinity without one. A jump between the clocks counts in
   * full: the monotonic clock may not advance while a machine sleeps.
   */
  silenceMs(): number {
    if (!this.#heardAt) return Infinity;
    return this.#clock.elapsed() - this.#heardAt.elapsed + this.#jumpMs(this.#heardAt);
  }

  isLive(): boolean {
    if (!this.#heardAt || this.#jumpMs(this.#heardAt) > JUMP_MS) return false;
    return this.silenceMs() <= STALE_AFTER_MS;
  }

  #jumpMs({ now, elapsed }: Moment): number {
    const jump = Math.abs(this.#clock.now() - now - (this.#clock.elapsed() - elapsed));
    return jump > JUMP_MS ? jump : 0;
  }
}
