/**
 * Short-lived values shared by all processes of the service: hints, one-time grants, counters. Each operation is
 * atomic. While the store is unavailable every operation rejects with `service_unavailable`, within a second.
 *
 * Time to live: seconds, more than 0, fractions allowed; anything else is a TypeError.
 */
export interface EphemeralStore {
  /** `memory` is known to this process only and is lost at its end. */
  readonly kind: 'redis' | 'memory';

  /** True while operations are rejected at once, because the store has stopped answering. */
  readonly isCircuitOpen: boolean;

  get(key: string): Promise<string | undefined>;

  /** Returns the values in the order of the keys. Each is read atomically, all of them together not. */
  getMany(keys: readonly string[]): Promise<(string | undefined)[]>;

  /** Writes the value and starts its time to live anew. */
  set(key: string, value: string, ttlSeconds: number): Promise<void>;

  /** Writes the value if the key is absent; returns true if it was written. */
  setIfAbsent(key: string, value: string, ttlSeconds: number): Promise<boolean>;

  /**
   * Writes the value if the key still holds `expected`; undefined expects no value. Returns whether it was written, and
   * then its time to live has started anew.
   */
  compareAndSet(
    key: string,
    expected: string | undefined,
    value: string,
    ttlSeconds: number,
  ): Promise<boolean>;

  /** Deletes and returns the value: of several callers exactly one gets it. */
  getAndDelete(key: string): Promise<string | undefined>;

  /** Adds 1 and returns the sum. The first increment sets the time to live, later ones keep it. */
  increment(key: string, ttlSeconds: number): Promise<number>;

  delete(...keys: string[]): Promise<void>;

  /**
   * Announces on a channel that something has happened, to every subscriber of every process. Returns at once and never
   * fails: an announcement may be lost, so what depends on it must not only depend on it.
   */
  publish(channel: string): void;

  /** Calls the listener for each announcement on the channel. @returns a function that ends the subscription. */
  subscribe(channel: string, listener: () => void): () => void;

  /** Rejects unless the store answers within the time. */
  ping(timeoutMs: number): Promise<void>;

  close(): Promise<void>;
}

/** Returns a time to live in whole milliseconds. Throws TypeError unless it is a number of seconds above 0. */
export function ttlMs(ttlSeconds: number): number {
  if (!(ttlSeconds > 0) || !Number.isFinite(ttlSeconds)) {
    throw new TypeError('A time to live is a number of seconds above 0.');
  }
  return Math.ceil(ttlSeconds * 1000);
}
