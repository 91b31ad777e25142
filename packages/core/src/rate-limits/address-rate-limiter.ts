import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AuthError } from '../kernel/auth-error.js';
import type { Limit, Observer } from '../kernel/observer.js';
import { outcomeOf } from '../kernel/use-case-outcome.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { RedisEphemeralStore } from '../storage/ephemeral-store.redis.js';
import { isUnavailable, type FailMode } from './fail-mode.js';
import { ipBucket } from './ip-bucket.js';

interface AddressRateLimiterDeps {
  readonly store: EphemeralStore;
  /** Kind of requests to count. */
  readonly counts: AddressCount;
  /** Maximum requests of one address per window, at least 1. */
  readonly limit: number;
  readonly failMode: FailMode;
  /** Length of a window in whole seconds. Defaults to 60. */
  readonly windowSeconds?: number | undefined;
  readonly observer: Observer;
}

/** Kinds of requests with separate counts: sign-in and registration, and anonymous requests that write a row. */
type AddressCount = 'sign-in' | 'anonymous-write';

const KEY_PREFIX: Record<AddressCount, string> = {
  'sign-in': 'login-rate',
  'anonymous-write': 'anonymous-rate',
};
const LIMIT_NAME: Record<AddressCount, Limit> = { 'sign-in': 'address', 'anonymous-write': 'anonymous' };
const WINDOW_SECONDS = 60;

/**
 * Limits the requests of one address in fixed windows. Redis counts them for all processes.
 *
 * Every process also counts the requests that it allows, in the same windows. So the limit still applies when Redis is
 * unavailable, and after Redis was flushed no process allows more than the limit per window.
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
   * @param ip address of the client; null and invalid addresses share one count.
   * @throws AuthError `rate_limited` with the seconds until the window ends; `service_unavailable` if Redis is
   * unavailable and the fail mode is `closed`.
   */
  async consume(ip: string | null): Promise<void> {
    try {
      const { isStoreUnavailable } = await this.#consume(ipBucket(ip));
      this.#deps.observer.limit(this.#name, isStoreUnavailable ? 'store_away_open' : 'allowed');
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
    const wholeWindow = { remainingMs: this.#windowMs, isStoreUnavailable: false };
    if (!shared || !(this.#deps.store instanceof RedisEphemeralStore)) return wholeWindow;
    try {
      const verdict = await this.#deps.store.execute(() => shared.consume(bucket));
      return { remainingMs: this.#withinWindow(verdict), isStoreUnavailable: false };
    } catch (error) {
      if (error instanceof RateLimiterRes) throw this.#refusal(error);
      if (this.#deps.failMode === 'open' && isUnavailable(error))
        return { ...wholeWindow, isStoreUnavailable: true };
      throw error;
    }
  }

  /** Counts in this process. A new window ends together with the shared one; a running window keeps its end. */
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

/** State of the count of all processes. */
interface SharedCount {
  /** Milliseconds until the shared window ends, or a whole window if there is none. */
  remainingMs: number;
  isStoreUnavailable: boolean;
}
