import type { AttemptCounter, Reservation } from './attempt-counter.js';
import { isUnavailable } from './fail-mode.js';

/**
 * A counted sign-in attempt. Only the first report has an effect. Reports never fail: if the store is unavailable, a
 * successful sign-in is not rejected and the attempt remains counted.
 */
export class SignInAttempt {
  readonly #counter: AttemptCounter;
  readonly #own: AttemptCounter;
  #reservation: Reservation | undefined;

  /** @param own the counts of this process, which are updated if the store of `counter` is unavailable. */
  constructor(counter: AttemptCounter, own: AttemptCounter, reservation: Reservation) {
    this.#counter = counter;
    this.#own = own;
    this.#reservation = reservation;
  }

  /** Reports a wrong password. */
  fail(): Promise<void> {
    return this.#settle((counter, reservation) => counter.fail(reservation));
  }

  /** Reports a completed sign-in. */
  succeed(): Promise<void> {
    return this.#settle((counter, reservation) => counter.succeed(reservation));
  }

  /** Reports that the password was correct but no session was created, or that it was not verified. */
  takeBack(): Promise<void> {
    return this.#settle((counter, reservation) => counter.takeBack(reservation));
  }

  async #settle(report: (counter: AttemptCounter, reservation: Reservation) => Promise<void>): Promise<void> {
    const reservation = this.#reservation;
    this.#reservation = undefined;
    if (!reservation) return;
    try {
      await report(this.#counter, reservation);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await report(this.#own, reservation);
    }
  }
}
