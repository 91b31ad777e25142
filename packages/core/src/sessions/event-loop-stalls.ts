/** Milliseconds between two ticks of the timer. */
const TICK_MS = 10;
/** Milliseconds of the shortest stall that is reported. */
const SHORTEST_STALL_MS = 20;
/** Milliseconds without a call after which the timer stops, so that an idle process can sleep. */
const IDLE_MS = 60_000;
/** Factor by which a past stall fades with each tick; half of it is left after some 3 s. */
const FADING = 0.998;

/**
 * Detects stalls of the process; all durations are in milliseconds. The time at which a handler runs is not
 * the time at which its request reached the machine: while the event loop is busy, or the process gets no
 * processor (a container at its limit is paused for tens of milliseconds), requests wait in the kernel,
 * unseen. A timer that fires late shows such a stall, and a request that is read right after it may have
 * arrived at any time during it.
 */
export class StallWatch {
  #timer: NodeJS.Timeout | undefined;
  #lastCallAt = 0;
  #nextTick = 0;
  #stalledSince: number | undefined;
  #recent = 0;

  /**
   * Returns how long the request that is handled now may have waited unseen; 0 when there was no stall, or
   * the timer was not running.
   */
  stalledFor(): number {
    const now = performance.now();
    this.#lastCallAt = now;
    if (this.#timer === undefined) this.#start(now);
    if (now - this.#nextTick > SHORTEST_STALL_MS) return now - this.#nextTick;
    return this.#stalledSince === undefined ? 0 : now - this.#stalledSince;
  }

  /** Returns the approximate length of the longest stall of the last seconds. */
  recentStall(): number {
    return this.#recent > SHORTEST_STALL_MS ? this.#recent : 0;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #start(now: number): void {
    this.#nextTick = now + TICK_MS;
    this.#recent = 0;
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  #tick(): void {
    const now = performance.now();
    const late = now - this.#nextTick;
    this.#recent = Math.max(this.#recent * FADING, late);
    if (late > SHORTEST_STALL_MS) this.#remember(this.#nextTick);
    this.#nextTick = now + TICK_MS;
    if (now - this.#lastCallAt > IDLE_MS) this.stop();
  }

  /**
   * Remembers the stall until the loop has read what arrived meanwhile: timers run before that, immediates
   * after it.
   */
  #remember(stalledSince: number): void {
    this.#stalledSince = stalledSince;
    setImmediate(() => (this.#stalledSince = undefined)).unref();
  }
}
