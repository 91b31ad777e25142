import { createHash } from 'node:crypto';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { writtenRecord, type AccountRecordStore, type SeenRecord } from './account-record-store.js';
import {
  count,
  endOf,
  takeBack,
  withoutFailures,
  EMPTY_RECORD,
  type AttemptKind,
  type Counted,
  type Refused,
  type ThrottlePolicy,
} from './account-record.js';
import { ipBucket } from './ip-bucket.js';

/** An attempt that was counted before its password is verified. */
export interface Reservation {
  email: string;
  ip: string | null;
  kind: AttemptKind;
  counted: Counted;
}

/** Counts the sign-in attempts of each account in one store. Rejects when the store does. */
export class AttemptCounter {
  readonly #deps;

  constructor(deps: {
    readonly store: EphemeralStore;
    readonly records: AccountRecordStore;
    readonly policy: ThrottlePolicy;
  }) {
    this.#deps = deps;
  }

  /**
   * Counts an attempt. A known address is exempt from the wait, up to its own limit. A rejected attempt may still be the
   * single attempt of an address that has not failed for this account.
   */
  async reserve(email: string, ip: string | null): Promise<Reservation | Refused> {
    const [isKnown, seen] = await Promise.all([
      this.#isKnown(email, ip),
      this.#deps.records.read(throttleKeys(email).record),
    ]);
    const kind = isKnown ? 'known' : 'counted';
    const counted = await this.#count(email, kind, seen);
    return isRefused(counted) ? this.#reserveFirst(email, ip, counted) : { email, ip, kind, counted };
  }

  /** Keeps the attempt counted. Its address has no single attempt left. */
  async fail({ email, ip, kind, counted }: Reservation): Promise<void> {
    const { day, failures, window } = this.#deps.policy;
    const isShort = kind === 'counted' && counted.record.failures < failures;
    await this.#deps.store.set(throttleKeys(email).failed(ip), '1', isShort ? window : day);
  }

  async takeBack({ email, ip, kind, counted }: Reservation): Promise<void> {
    await this.#deps.records.change(
      throttleKeys(email).record,
      (record) => ({ record: takeBack(record, counted, kind), result: undefined }),
      writtenRecord(counted.record),
    );
    if (kind === 'first') await this.#deps.store.delete(throttleKeys(email).failed(ip));
  }

  /** Clears the failures of the account and makes the address known. */
  async succeed({ email, ip, kind, counted }: Reservation): Promise<void> {
    const cleared = this.#deps.records.change(
      throttleKeys(email).record,
      (before) => ({
        record: withoutFailures(takeBack(before, counted, kind)),
        result: undefined,
        keepUntil: endOf({ ...before, known: 0 }, this.#deps.policy),
      }),
      writtenRecord(counted.record),
    );
    await Promise.all([cleared, this.#makeKnown(email, ip)]);
  }

  /** Clears all counts of the account and makes the address known. */
  async clear(email: string, ip: string | null): Promise<void> {
    await this.#deps.records.change(throttleKeys(email).record, (before) => ({
      record: EMPTY_RECORD,
      result: undefined,
      keepUntil: endOf(before, this.#deps.policy),
    }));
    await this.#makeKnown(email, ip);
  }

  /**
   * Counts the single attempt of an address. The address is recorded before the attempt is counted: of concurrent
   * attempts of one address only one is allowed, and attempts of an address that has failed do not use up the limit.
   */
  async #reserveFirst(email: string, ip: string | null, refused: Refused): Promise<Reservation | Refused> {
    const failedKey = throttleKeys(email).failed(ip);
    if (!(await this.#deps.store.setIfAbsent(failedKey, '1', this.#deps.policy.day))) return refused;
    const counted = await this.#count(email, 'first');
    if (!isRefused(counted)) return { email, ip, kind: 'first', counted };
    await this.#deps.store.delete(failedKey);
    return counted.retryAfterSeconds < refused.retryAfterSeconds ? counted : refused;
  }

  #count(email: string, kind: AttemptKind, seen?: SeenRecord): Promise<Counted | Refused> {
    return this.#deps.records.change<Counted | Refused>(
      throttleKeys(email).record,
      (record, now) => {
        const result = count(record, kind, now, this.#deps.policy);
        return { record: isRefused(result) ? record : result.record, result };
      },
      seen,
    );
  }

  async #makeKnown(email: string, ip: string | null): Promise<void> {
    const keys = throttleKeys(email);
    const cleared = this.#deps.store.delete(keys.failed(ip));
    if (ipBucket(ip) === UNKNOWN) return cleared;
    await Promise.all([cleared, this.#deps.store.set(keys.known(ip), '1', this.#deps.policy.exemption)]);
  }

  async #isKnown(email: string, ip: string | null): Promise<boolean> {
    return (
      ipBucket(ip) !== UNKNOWN && (await this.#deps.store.get(throttleKeys(email).known(ip))) !== undefined
    );
  }
}

export const isRefused = (verdict: object): verdict is Refused => 'retryAfterSeconds' in verdict;

const UNKNOWN = ipBucket(null);

/** Returns the keys of one account. They contain a digest, never the email. The braces keep them on one cluster node. */
export function throttleKeys(email: string) {
  const account = `throttle:{${createHash('sha256').update(email).digest('base64url')}}`;
  return {
    /** The counts. */
    record: `${account}:record`,
    /** Exists while the address is known. */
    known: (ip: string | null) => `${account}:known:${ipBucket(ip)}`,
    /** Exists while the address has failed for the account or uses its single attempt. */
    failed: (ip: string | null) => `${account}:failed:${ipBucket(ip)}`,
  };
}
