import { performance } from 'node:perf_hooks';

/** Milliseconds between two ticks of the timer. */
const TICK_MS = 10;
/** Milliseconds of the shortest stall that is reported. */
const SHORTEST_STALL_MS = 20;
/**
 * Milliseconds after a stall within which all that arrived during it is read, even by a loop that is never idle. Without
 * this bound, a process at its limit would pardon tokens of any age.
 */
const LONGEST_BACKLOG_MS = 500;
/** Milliseconds without a call after which the timer stops, so that an idle process can sleep. */
const IDLE_MS = 60_000;
/** Factor by which a past stall fades with each tick; half of it is left after some 3 s. */
const FADING = 0.998;

/**
 * Detects stalls of the process; all durations are in milliseconds. The time at which a handler runs is not
 * the time at which its request reached the machine: while the event loop is busy, or the process gets no
 * processor (a container at its limit is paused for tens of milliseconds), requests wait in the kernel,
 * unseen. A timer that fires late shows such a stall. What is read from then on may have arrived at any time
 * during it, until the loop is idle for the first time: it sleeps only when nothing is left to be read, and a
 * burst of new connections takes a turn of the loop for each.
 */
export class StallWatch {
  #timer: NodeJS.Timeout | undefined;
  #lastCallAt = 0;
  #nextTick = 0;
  #backlog: { since: number; until: number; idleTime: number } | undefined;
  #recent = 0;

  /**
   * Returns how long the request that is handled now may have waited unseen; 0 when there was no stall, or
   * the timer was not running.
   */
  stalledFor(): number {
    const now = performance.now();
    this.#lastCallAt = now;
    if (this.#timer === undefined) this.#start(now);
    const past = this.#backlogSince(now);
    if (past !== undefined) return now - past;
    const late = now - this.#nextTick;
    return late > SHORTEST_STALL_MS ? late : 0;
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
    if (late > SHORTEST_STALL_MS) this.#remember(this.#nextTick, now);
    this.#nextTick = now + TICK_MS;
    if (now - this.#lastCallAt > IDLE_MS) this.stop();
  }

  /** Remembers the stall, unless requests of an earlier one may still wait: they are the older ones. */
  #remember(since: number, now: number): void {
    if (this.#backlogSince(now) !== undefined) return;
    this.#backlog = { since, until: now + LONGEST_BACKLOG_MS, idleTime: idleTime() };
  }

  #backlogSince(now: number): number | undefined {
    if (this.#backlog === undefined) return undefined;
    const isRead = now > this.#backlog.until || idleTime() > this.#backlog.idleTime;
    if (isRead) this.#backlog = undefined;
    return this.#backlog?.since;
  }
}

/** Returns the milliseconds in which the loop had nothing to do, since the process started. */
const idleTime = (): number => performance.nodeTiming.idleTime;
