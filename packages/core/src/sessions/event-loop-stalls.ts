/** How often the process shows itself that it is running. */
const BEAT = 10;
/** Shorter stalls are not worth telling. */
const SHORTEST_STALL = 20;
/** How long nobody need ask until the beat stops: an idle process is left to sleep. */
const ATTENTION = 60_000;
/** What a stall still counts one beat later; it is down to half after some 3 s. */
const FADING = 0.998;

/**
 * Notices when the process stands still, all in milliseconds. The moment a handler runs is not the moment its request
 * reached the machine: while the event loop is busy, or the process gets no processor (a container at its limit is
 * stopped for tens of milliseconds), requests wait in the kernel, where nobody can date them. A regular beat that
 * comes late shows such a stall, and whatever is read right after it may have come at any time during it.
 */
export class StallWatch {
  #timer: NodeJS.Timeout | undefined;
  #askedAt = 0;
  #nextBeat = 0;
  #stalledSince: number | undefined;
  #recent = 0;

  /** How long what is handled now may have been waiting unseen; 0 when there was no stall, or none was watched for. */
  stalledFor(): number {
    const now = performance.now();
    this.#askedAt = now;
    if (this.#timer === undefined) this.#start(now);
    if (now - this.#nextBeat > SHORTEST_STALL) return now - this.#nextBeat;
    return this.#stalledSince === undefined ? 0 : now - this.#stalledSince;
  }

  /** About how long the longest stall of the last seconds was. */
  recentStall(): number {
    return this.#recent > SHORTEST_STALL ? this.#recent : 0;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #start(now: number): void {
    this.#nextBeat = now + BEAT;
    this.#recent = 0;
    this.#timer = setInterval(() => this.#beat(), BEAT).unref();
  }

  #beat(): void {
    const now = performance.now();
    const late = now - this.#nextBeat;
    this.#recent = Math.max(this.#recent * FADING, late);
    if (late > SHORTEST_STALL) this.#remember(this.#nextBeat);
    this.#nextBeat = now + BEAT;
    if (now - this.#askedAt > ATTENTION) this.stop();
  }

  /** Timers run before the loop reads what has come meanwhile; immediates run after that. */
  #remember(stalledSince: number): void {
    this.#stalledSince = stalledSince;
    setImmediate(() => (this.#stalledSince = undefined)).unref();
  }
}
