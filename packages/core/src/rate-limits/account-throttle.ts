import { AuthError } from '../kernel/auth-error.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { MemoryEphemeralStore } from '../storage/ephemeral-store.memory.js';
import type { FailMode } from './fail-mode.js';
import { DEFAULT_THROTTLE_POLICY, FailureRecord } from './failure-record.js';
import type { ThrottlePolicy } from './failure-record.js';

export interface AccountThrottleOptions {
  store: EphemeralStore;
  failMode: FailMode;
  policy?: Partial<ThrottlePolicy> | undefined;
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
  readonly #ownStore = new MemoryEphemeralStore();
  readonly #failMode: FailMode;

  constructor({ store, failMode, policy }: AccountThrottleOptions) {
    const fullPolicy = { ...DEFAULT_THROTTLE_POLICY, ...policy };
    this.#shared = new FailureRecord(store, fullPolicy);
    this.#own = new FailureRecord(this.#ownStore, fullPolicy);
    this.#failMode = failMode;
  }

  /**
   * To be called before the password is looked at.
   * @throws AuthError `rate_limited` with the seconds to wait; `service_unavailable` in fail mode `closed`.
   */
  async check(email: string, ip: string | null): Promise<void> {
    const retryAfterSeconds = await this.#withEither((record) => record.waitOf(email, ip));
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
