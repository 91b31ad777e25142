/** The times that a verifier compares, for tests that move them. */
export interface VerifierClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since an arbitrary moment; they never run backwards, whatever happens to the wall clock. */
  elapsed(): number;
}

/** A moment on both clocks. */
export interface Moment {
  readonly now: number;
  readonly elapsed: number;
}

export const momentOf = (clock: VerifierClock): Moment => ({ now: clock.now(), elapsed: clock.elapsed() });

/** Returns whole seconds since the epoch, as tokens count time (RFC 7519 section 2). */
export const epochSeconds = (clock: VerifierClock): number => Math.floor(clock.now() / 1000);
