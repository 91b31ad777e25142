import type { VerifierClock } from '@latchkey/verifier';

/** A clock that goes on by itself, and can be moved as time passes, as a machine sleeps, and as its wall clock is set. */
export class MovedClock implements VerifierClock {
  #wallMs = 0;
  #elapsedMs = 0;

  now(): number {
    return Date.now() + this.#wallMs;
  }

  elapsed(): number {
    return performance.now() + this.#elapsedMs;
  }

  /** Time passes on both clocks. */
  pass(seconds: number): void {
    this.#wallMs += seconds * 1000;
    this.#elapsedMs += seconds * 1000;
  }

  /** The monotonic clock does not advance during a sleep, the wall clock does. The same as setting the wall clock. */
  sleep(seconds: number): void {
    this.#wallMs += seconds * 1000;
  }
}
