/**
 * Spares callers the wait for a dependency that does not answer. After some failures in a row the circuit is
 * open: callers are rejected at once, and a probe in the background, not a caller's work, finds out when to
 * close it.
 */
export class CircuitBreaker {
  readonly #options;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: {
    /** Failures in a row after which the circuit opens. */
    failures: number;
    /** Milliseconds between two probes while it is open. */
    probeInterval: number;
    /** Pings the dependency; rejects while it is unavailable. */
    probe: () => Promise<unknown>;
  }) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#failures >= this.#options.failures;
  }

  succeeded(): void {
    this.#failures = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  failed(): void {
    this.#failures += 1;
    if (this.isOpen) this.#scheduleProbe();
  }

  /** Ends the probes. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #scheduleProbe(): void {
    if (this.#timer !== undefined || this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#options.probe().then(
        () => this.succeeded(),
        () => this.failed(),
      );
    }, this.#options.probeInterval);
    this.#timer.unref();
  }
}
