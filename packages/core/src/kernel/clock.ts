/**
 * The source of the current time. Comparisons with times of the database use the clock of the database
 * instead.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since an arbitrary moment; they never run backwards, whatever happens to the wall clock. */
  elapsed(): number;
}

/** A clock that may answer later, such as the database's. */
export interface SharedClock {
  /** Milliseconds since the epoch. */
  now(): number | Promise<number>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
};

/** Returns whole seconds since the epoch, as tokens count time (RFC 7519 section 2). */
export const epochSeconds = (clock: Clock): number => Math.floor(clock.now() / 1000);
