import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AuthError } from '../kernel/auth-error.js';
import type { Limit, Observer } from '../kernel/observer.js';
import { outcomeOf } from '../kernel/outcome.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { RedisEphemeralStore } from '../storage/ephemeral-store.redis.js';
import { isUnavailable, type FailMode } from './fail-mode.js';
import { ipBucket } from './ip-bucket.js';

export interface AddressRateLimiterDeps {
  readonly store: EphemeralStore;
  /** Which requests are counted together. */
  readonly counts: AddressCount;
  /** Requests of one address in one window, at least 1. */
  readonly limit: number;
  readonly failMode: FailMode;
  /** Length of a window in whole seconds; defaults to 60. */
  readonly windowSeconds?: number | undefined;
  readonly observer: Observer;
}

/** The requests of an address that are counted: to sign in or register, or what makes the service write a row for nobody it knows. */
export type AddressCount = 'sign-in' | 'anonymous-write';

/** Requests of one address in a minute that write a row for nobody the service knows. */
export const ANONYMOUS_WRITES_PER_MINUTE = 60;

const KEY_PREFIX: Record<AddressCount, string> = {
  'sign-in': 'login-rate',
  'anonymous-write': 'anonymous-rate',
};
const LIMIT_NAME: Record<AddressCount, Limit> = { 'sign-in': 'address', 'anonymous-write': 'anonymous' };
const WINDOW_SECONDS = 60;

/**
 * Limits how often one address may ask for something, in fixed windows, counted over all processes in Redis.
 *
 * Every process also counts what it lets through itself, in the same windows. So it is not blind when Redis goes
 * away, and a Redis that was emptied lets no process accept more than the limit in its window.
 */
export class AddressRateLimiter {
  readonly #deps: AddressRateLimiterDeps;
  readonly #windowMs: number;
  readonly #name: Limit;
  readonly #own: RateLimiterMemory;
  readonly #shared: RateLimiterRedis | undefined;

  /** @throws TypeError unless limit and window are whole numbers of at least 1. */
  constructor(deps: AddressRateLimiterDeps) {
    this.#deps = deps;
    const { store, counts, limit, windowSeconds = WINDOW_SECONDS } = deps;
    if (![limit, windowSeconds].every((value) => Number.isInteger(value) && value >= 1)) {
      throw new TypeError('AddressRateLimiter: limit and windowSeconds are whole numbers of at least 1.');
    }
    const rate = { keyPrefix: KEY_PREFIX[counts], points: limit, duration: windowSeconds };
    this.#name = LIMIT_NAME[counts];
    this.#windowMs = windowSeconds * 1000;
    this.#own = new RateLimiterMemory(rate);
    this.#shared =
      store instanceof RedisEphemeralStore
        ? new RateLimiterRedis({ ...rate, storeClient: store.client })
        : undefined;
  }

  /**
   * Counts one request.
   * @param ip null, and whatever is no address, share one count.
   * @throws AuthError `rate_limited` with the seconds until the window ends; `service_unavailable` when Redis is
   * away and the fail mode is `closed`.
   */
  async consume(ip: string | null): Promise<void> {
    try {
      const { storeIsAway } = await this.#consume(ipBucket(ip));
      this.#deps.observer.limit(this.#name, storeIsAway ? 'store_away_open' : 'allowed');
    } catch (error) {
      const limited = outcomeOf(error) === 'limited';
      this.#deps.observer.limit(this.#name, limited ? 'limited' : 'store_away_closed');
      throw error;
    }
  }

  async #consume(bucket: string): Promise<SharedCount> {
    const own = await this.#own.get(bucket);
    if (own && own.consumedPoints >= this.#deps.limit && own.msBeforeNext > 0) throw this.#refusal(own);
    const shared = await this.#consumeShared(bucket);
    await this.#consumeOwn(bucket, shared.remainingMs);
    return shared;
  }

  async #consumeShared(bucket: string): Promise<SharedCount> {
    const shared = this.#shared;
    const wholeWindow = { remainingMs: this.#windowMs, storeIsAway: false };
    if (!shared || !(this.#deps.store instanceof RedisEphemeralStore)) return wholeWindow;
    try {
      const verdict = await this.#deps.store.execute(() => shared.consume(bucket));
      return { remainingMs: this.#withinWindow(verdict), storeIsAway: false };
    } catch (error) {
      if (error instanceof RateLimiterRes) throw this.#refusal(error);
      if (this.#deps.failMode === 'open' && isUnavailable(error))
        return { ...wholeWindow, storeIsAway: true };
      throw error;
    }
  }

  /** A new own window ends together with the shared one; a running one keeps its end. */
  async #consumeOwn(bucket: string, remainingMs: number): Promise<void> {
    try {
      await this.#own.consume(bucket, 1, { customDuration: remainingMs / 1000 });
    } catch (error) {
      if (error instanceof RateLimiterRes) throw this.#refusal(error);
      throw error;
    }
  }

  #refusal(verdict: RateLimiterRes): AuthError {
    const retryAfterSeconds = Math.ceil(this.#withinWindow(verdict) / 1000);
    return new AuthError('rate_limited', 'Too many attempts. Please try again later.', { retryAfterSeconds });
  }

  #withinWindow(verdict: RateLimiterRes): number {
    return Math.min(Math.max(verdict.msBeforeNext, 1), this.#windowMs);
  }
}

/** What the count over all processes said. */
interface SharedCount {
  /** Milliseconds until the shared window ends; a whole window when there is no shared one. */
  remainingMs: number;
  storeIsAway: boolean;
}
