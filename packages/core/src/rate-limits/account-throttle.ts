import { AuthError } from '../kernel/auth-error.js';
import type { Clock } from '../kernel/clock.js';
import type { LimitDecision, Observer } from '../kernel/observer.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { MemoryEphemeralStore } from '../storage/ephemeral-store.memory.js';
import { AccountRecordStore } from './account-record-store.js';
import { DEFAULT_THROTTLE_POLICY, type ThrottlePolicy } from './account-record.js';
import { AttemptCounter, isRefused } from './attempt-counter.js';
import { isUnavailable, type FailMode } from './fail-mode.js';
import { SignInAttempt } from './sign-in-attempt.js';

export interface AccountThrottleDeps {
  readonly store: EphemeralStore;
  readonly failMode: FailMode;
  readonly policy?: Partial<ThrottlePolicy> | undefined;
  readonly observer: Observer;
  readonly clock: Clock;
}

/**
 * Limits password guessing for one account from many addresses. After 20 failures in 15 minutes for one email, with or
 * without an account, sign-ins must wait 30 seconds. The wait doubles with each further failure, up to 15 minutes. A
 * success ends it.
 *
 * An address that signed in to the account in the last 30 days is exempt from the wait; together such addresses have 100
 * failures a day. During a wait, each address that has not failed for the account has one attempt, up to ten a minute
 * per account. So an attacker cannot lock the user out.
 *
 * Attempts are counted before the password is verified: concurrent attempts never exceed the limit for consecutive ones.
 * Emails are in their canonical form. While the store is unavailable, fail mode `open` continues with the counts of this
 * process.
 */
export class AccountThrottle {
  readonly #deps: AccountThrottleDeps;
  readonly #shared: AttemptCounter;
  readonly #own: AttemptCounter;
  readonly #ownStore: MemoryEphemeralStore;

  constructor(deps: AccountThrottleDeps) {
    this.#deps = deps;
    const { store, clock } = deps;
    const policy = { ...DEFAULT_THROTTLE_POLICY, ...deps.policy };
    this.#ownStore = new MemoryEphemeralStore({ clock });
    const copy = new AccountRecordStore({ store: this.#ownStore, policy, clock });
    const records = new AccountRecordStore({ store, policy, clock, copy });
    this.#shared = new AttemptCounter({ store, records, policy });
    this.#own = new AttemptCounter({ store: this.#ownStore, records: copy, policy });
  }

  /**
   * Counts an attempt before its password is verified. The caller reports its outcome; an attempt without a reported
   * outcome remains counted as a failure.
   * @throws AuthError `rate_limited` with the seconds to wait; `service_unavailable` in fail mode `closed`.
   */
  async reserve(email: string, ip: string | null): Promise<SignInAttempt> {
    let decision: LimitDecision = 'store_away_closed';
    try {
      return await this.#withEither(async (counter) => {
        const reservation = await counter.reserve(email, ip);
        decision = counter === this.#own ? 'store_away_open' : 'allowed';
        if (!isRefused(reservation)) return new SignInAttempt(counter, this.#own, reservation);
        decision = 'limited';
        const message = 'Too many failed attempts for this account. Please try again later.';
        throw new AuthError('rate_limited', message, { ...reservation, reason: 'account_wait' });
      });
    } finally {
      this.#deps.observer.limit('account', decision);
    }
  }

  /**
   * Clears the failures of an account whose password was reset by a mailed link, and makes the address known. Never
   * fails, because the password is already set.
   */
  async recordReset(email: string, ip: string | null): Promise<void> {
    await this.#own.clear(email, ip);
    try {
      await this.#shared.clear(email, ip);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }

  /** Closes the in-process store; the shared store stays open. */
  async close(): Promise<void> {
    await this.#ownStore.close();
  }

  async #withEither<T>(work: (counter: AttemptCounter) => Promise<T>): Promise<T> {
    try {
      return await work(this.#shared);
    } catch (error) {
      if (!isUnavailable(error) || this.#deps.failMode === 'closed') throw error;
      return work(this.#own);
    }
  }
}
