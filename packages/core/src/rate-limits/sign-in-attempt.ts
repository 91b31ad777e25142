import { isUnavailable } from './fail-mode.js';
import type { FailureRecord, Reservation } from './failure-record.js';

/**
 * A counted sign-in attempt. Only the first report has an effect. Reports never fail: if the store is unavailable, a
 * successful sign-in is not rejected and the attempt remains counted.
 */
export class SignInAttempt {
  readonly #record: FailureRecord;
  readonly #own: FailureRecord;
  #reservation: Reservation | undefined;

  /** @param own the counts of this process, which are updated if the store of `record` is unavailable. */
  constructor(record: FailureRecord, own: FailureRecord, reservation: Reservation) {
    this.#record = record;
    this.#own = own;
    this.#reservation = reservation;
  }

  /** Reports a wrong password. */
  fail(): Promise<void> {
    return this.#settle((record, reservation) => record.fail(reservation));
  }

  /** Reports a completed sign-in. */
  succeed(): Promise<void> {
    return this.#settle((record, reservation) => record.succeed(reservation));
  }

  /** Reports that the password was correct but no session was created, or that it was not verified. */
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
