import type { Clock } from '../kernel/clock.js';
import { statement, type Database } from './database.js';

const NOW = statement('database_clock', 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now');

/** Milliseconds after which the clock is read again: clocks drift. */
const MEASURED_FOR = 60_000;
/**
 * Milliseconds by which the wall clock may deviate from the monotonic one before the database's clock is read
 * again.
 */
const JUMP = 1000;

interface Measurement {
  /** Milliseconds since the epoch, as the database returned them. */
  databaseNow: number;
  now: number;
  elapsed: number;
}

/**
 * The clock of the database, which all replicas share, whatever their own clocks show. It is read once a
 * minute; in between, elapsed time is measured here, by the monotonic clock.
 */
export class DatabaseClock {
  readonly #database: Database;
  readonly #clock: Clock;
  #measured: Measurement | undefined;
  #measuring: Promise<Measurement> | undefined;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Returns milliseconds since the epoch.
   * @throws AuthError `service_unavailable` if the database was never reached; later an older measurement is used.
   */
  async now(): Promise<number> {
    const { databaseNow, elapsed } = await this.#measurement();
    return databaseNow + this.#clock.elapsed() - elapsed;
  }

  async #measurement(): Promise<Measurement> {
    const known = this.#measured;
    if (known && this.#isUsable(known)) return known;
    try {
      this.#measuring ??= this.#measure();
      return await this.#measuring;
    } catch (error) {
      if (!known) throw error;
      return known;
    }
  }

  #isUsable({ now, elapsed }: Measurement): boolean {
    const passed = this.#clock.elapsed() - elapsed;
    return passed < MEASURED_FOR && Math.abs(this.#clock.now() - now - passed) < JUMP;
  }

  async #measure(): Promise<Measurement> {
    try {
      const sentAt = this.#clock.elapsed();
      const [row] = await this.#database.query<{ now: number }>(NOW, []);
      const elapsed = this.#clock.elapsed();
      // The reply was made somewhere on the way: half of the round trip is the best estimate.
      const databaseNow = (row?.now ?? this.#clock.now()) + (elapsed - sentAt) / 2;
      return (this.#measured = { databaseNow, now: this.#clock.now(), elapsed });
    } finally {
      this.#measuring = undefined;
    }
  }
}
