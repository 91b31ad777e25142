import { createHash } from 'node:crypto';
import { systemClock, type Clock } from '../kernel/clock.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { ipBucket } from './ip-bucket.js';

/** When failed sign-ins slow an account down. All times in seconds. */
export interface ThrottlePolicy {
  /** Failures within `window` that start the first wait. */
  failures: number;
  window: number;
  /** The first wait; each further failure after a wait doubles it. */
  firstWait: number;
  maxWait: number;
  /** How long an address that signed in is exempt. */
  exemption: number;
}

export const DEFAULT_THROTTLE_POLICY: ThrottlePolicy = {
  failures: 20,
  window: 900,
  firstWait: 30,
  maxWait: 900,
  exemption: 30 * 86_400,
};

/** What one store knows of the failed sign-ins of each account. Rejects as the store does. */
export class FailureRecord {
  readonly #store: EphemeralStore;
  readonly #policy: ThrottlePolicy;
  readonly #clock: Clock;

  constructor(store: EphemeralStore, policy: ThrottlePolicy, clock: Clock = systemClock) {
    this.#store = store;
    this.#policy = policy;
    this.#clock = clock;
  }

  /** Seconds this address has to wait before the next attempt, 1 or more; 0 when it may go on. */
  async waitOf(email: string, ip: string | null): Promise<number> {
    const keys = throttleKeys(email);
    const endsAt = await this.#store.get(keys.wait);
    if (endsAt === undefined || (await this.#isExempt(keys.known, ip))) return 0;
    const seconds = Math.ceil((Number(endsAt) - this.#clock.now()) / 1000);
    // The store decides whether there is a wait; the clock only tells how long, and hosts' clocks differ.
    return Math.min(Math.max(seconds || 1, 1), Math.ceil(this.#policy.maxWait));
  }

  /** An exempt address does not count: its mistakes must not slow down the account for others. */
  async addFailure(email: string, ip: string | null): Promise<void> {
    const keys = throttleKeys(email);
    if (await this.#isExempt(keys.known, ip)) return;
    const [failures, waits] = await Promise.all([
      this.#store.increment(keys.failures, this.#policy.window),
      this.#store.get(keys.waits),
    ]);
    if (failures >= this.#policy.failures || waits !== undefined) await this.#startWait(keys);
  }

  /** Clears the account and exempts the address. */
  async addSuccess(email: string, ip: string | null): Promise<void> {
    const keys = throttleKeys(email);
    const cleared = this.#store.delete(keys.failures, keys.waits, keys.wait);
    if (ipBucket(ip) === UNKNOWN) return cleared;
    await Promise.all([cleared, this.#store.set(keys.known(ip), '1', this.#policy.exemption)]);
  }

  /**
   * Attempts that were under way when a wait began do not lengthen it: only the caller who finds no wait starts
   * the next, longer one. The number of waits is forgotten one window after the last of them.
   */
  async #startWait(keys: ThrottleKeys): Promise<void> {
    const { firstWait, maxWait, window } = this.#policy;
    const provisionalEnd = String(this.#clock.now() + firstWait * 1000);
    if (!(await this.#store.setIfAbsent(keys.wait, provisionalEnd, firstWait))) return;
    const waits = (Number(await this.#store.get(keys.waits)) || 0) + 1;
    const seconds = waitSeconds(waits, firstWait, maxWait);
    await Promise.all([
      this.#store.set(keys.waits, String(waits), seconds + window),
      this.#store.set(keys.wait, String(this.#clock.now() + seconds * 1000), seconds),
    ]);
  }

  async #isExempt(known: ThrottleKeys['known'], ip: string | null): Promise<boolean> {
    return ipBucket(ip) !== UNKNOWN && (await this.#store.get(known(ip))) !== undefined;
  }
}

const UNKNOWN = ipBucket(null);

/** Length of the nth wait. */
export function waitSeconds(nth: number, firstWait: number, maxWait: number): number {
  return Math.min(firstWait * 2 ** (nth - 1), maxWait);
}

export type ThrottleKeys = ReturnType<typeof throttleKeys>;

/** The keys of one account. They hold a digest, never the email; the braces keep them on one node of a cluster. */
export function throttleKeys(email: string) {
  const account = `throttle:{${createHash('sha256').update(email).digest('base64url')}}`;
  return {
    /** Failures in the current window. */
    failures: `${account}:failures`,
    /** Waits in a row. */
    waits: `${account}:waits`,
    /** Exists during a wait; its value is the end, in milliseconds of the epoch. */
    wait: `${account}:wait`,
    /** Exists while the address is exempt. */
    known: (ip: string | null) => `${account}:known:${ipBucket(ip)}`,
  };
}
