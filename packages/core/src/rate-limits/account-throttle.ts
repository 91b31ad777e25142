import { AuthError } from '../kernel/auth-error.js';
import type { Clock } from '../kernel/clock.js';
import { unobserved, type LimitDecision, type Observer } from '../kernel/observer.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { MemoryEphemeralStore } from '../storage/ephemeral-store.memory.js';
import type { FailMode } from './fail-mode.js';
import { DEFAULT_THROTTLE_POLICY, FailureRecord } from './failure-record.js';
import type { ThrottlePolicy } from './failure-record.js';

export interface AccountThrottleOptions {
  store: EphemeralStore;
  failMode: FailMode;
  policy?: Partial<ThrottlePolicy> | undefined;
  observer?: Observer | undefined;
  clock?: Clock | undefined;
}

/**
 * Slows down guessing at one account from many addresses: after 20 failures in 15 minutes for one email, known or
 * not, a wait of 30 seconds that doubles with each failure after it, up to 15 minutes. A success ends it. An address
 * that signed in to the account in the last 30 days is neither held back nor counted. Nothing here is permanent, so
 * nobody can lock another person out for good.
 *
 * Emails are in their canonical form. While the store is away, fail mode `open` goes on with what this process saw.
 */
export class AccountThrottle {
  readonly #shared: FailureRecord;
  readonly #own: FailureRecord;
  readonly #ownStore: MemoryEphemeralStore;
  readonly #failMode: FailMode;
  readonly #observer: Observer;

  constructor({ store, failMode, policy, observer = unobserved, clock }: AccountThrottleOptions) {
    const fullPolicy = { ...DEFAULT_THROTTLE_POLICY, ...policy };
    this.#ownStore = new MemoryEphemeralStore({ clock });
    this.#shared = new FailureRecord(store, fullPolicy, clock);
    this.#own = new FailureRecord(this.#ownStore, fullPolicy, clock);
    this.#failMode = failMode;
    this.#observer = observer;
  }

  /**
   * To be called before the password is looked at.
   * @throws AuthError `rate_limited` with the seconds to wait; `service_unavailable` in fail mode `closed`.
   */
  async check(email: string, ip: string | null): Promise<void> {
    const retryAfterSeconds = await this.#waitOf(email, ip);
    if (retryAfterSeconds === 0) return;
    const message = 'Too many failed attempts for this account. Please try again later.';
    throw new AuthError('rate_limited', message, { retryAfterSeconds });
  }

  /** @throws AuthError `service_unavailable` in fail mode `closed`. */
  async recordFailure(email: string, ip: string | null): Promise<void> {
    await this.#withEither((record) => record.addFailure(email, ip));
  }

  /** @throws AuthError `service_unavailable` in fail mode `closed`. */
  async recordSuccess(email: string, ip: string | null): Promise<void> {
    await this.#withEither((record) => record.addSuccess(email, ip));
  }

  /** Ends what this process keeps for itself; the store stays open. */
  async close(): Promise<void> {
    await this.#ownStore.close();
  }

  async #waitOf(email: string, ip: string | null): Promise<number> {
    let decision: LimitDecision = 'store_away_closed';
    try {
      return await this.#withEither(async (record) => {
        const seconds = await record.waitOf(email, ip);
        const allowed = record === this.#own ? 'store_away_open' : 'allowed';
        decision = seconds > 0 ? 'limited' : allowed;
        return seconds;
      });
    } finally {
      this.#observer.limit('account', decision);
    }
  }

  async #withEither<T>(work: (record: FailureRecord) => Promise<T>): Promise<T> {
    try {
      return await work(this.#shared);
    } catch (error) {
      const isAway = error instanceof AuthError && error.code === 'service_unavailable';
      if (!isAway || this.#failMode === 'closed') throw error;
      return work(this.#own);
    }
  }
}
