import { isUnavailable } from './fail-mode.js';
import type { FailureRecord, Reservation } from './failure-record.js';

/**
 * An attempt that was counted. The first report counts, later ones do nothing. Reports never fail: a store that is
 * unavailable is no reason to refuse a sign-in that has succeeded, and leaves the attempt counted.
 */
export class SignInAttempt {
  readonly #record: FailureRecord;
  readonly #own: FailureRecord;
  #reservation: Reservation | undefined;

  /** @param own what this process remembers: it learns of the end when the record cannot. */
  constructor(record: FailureRecord, own: FailureRecord, reservation: Reservation) {
    this.#record = record;
    this.#own = own;
    this.#reservation = reservation;
  }

  /** The password was wrong. */
  fail(): Promise<void> {
    return this.#settle((record, reservation) => record.fail(reservation));
  }

  /** The user has signed in. */
  succeed(): Promise<void> {
    return this.#settle((record, reservation) => record.succeed(reservation));
  }

  /** The password was right but opened no session, or was not looked at. */
  takeBack(): Promise<void> {
    return this.#settle((record, reservation) => record.takeBack(reservation));
  }

  async #settle(report: (record: FailureRecord, reservation: Reservation) => Promise<void>): Promise<void> {
    const reservation = this.#reservation;
    this.#reservation = undefined;
    if (!reservation) return;
    try {
      await report(this.#record, reservation);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await report(this.#own, reservation);
    }
  }
}
