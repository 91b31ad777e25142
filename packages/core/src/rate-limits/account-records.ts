import { AuthError } from '../kernel/auth-error.js';
import type { Clock } from '../kernel/clock.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import {
  currentRecord,
  EMPTY_RECORD,
  endOf,
  type AccountRecord,
  type ThrottlePolicy,
} from './account-record.js';
import { Turns } from './turns.js';

/** The record that a rule returns. The same record: nothing is written. */
export interface RecordChange<T> {
  record: AccountRecord;
  result: T;
  /** Until when the record is kept although it is empty, so that no process goes back to what it remembers. */
  keepUntil?: number;
}

export type RecordRule<T> = (record: AccountRecord, now: number) => RecordChange<T>;

interface AccountRecordsOptions {
  store: EphemeralStore;
  policy: ThrottlePolicy;
  clock: Clock;
  /** Remembers what this process has written, for the time when the store has lost it or is unavailable. */
  copy?: AccountRecords | undefined;
}

/** Processes that change one record at once; each attempt that fails means that another has succeeded. */
const ATTEMPTS = 50;

/** The records of accounts in one store. Each change decides and writes at once. Rejects as the store does. */
export class AccountRecords {
  readonly #store: EphemeralStore;
  readonly #policy: ThrottlePolicy;
  readonly #clock: Clock;
  readonly #copy: AccountRecords | undefined;
  readonly #turns = new Turns();

  constructor({ store, policy, clock, copy }: AccountRecordsOptions) {
    this.#store = store;
    this.#policy = policy;
    this.#clock = clock;
    this.#copy = copy;
  }

  /** Applies the rule to the record as it is now. Requests of this process take turns, so that they never compete. */
  change<T>(key: string, rule: RecordRule<T>): Promise<T> {
    return this.#turns.take(key, () => this.#change(key, rule));
  }

  async #change<T>(key: string, rule: RecordRule<T>): Promise<T> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const stored = await this.#store.get(key);
      const now = this.#clock.now();
      const found = decode(stored) ?? (await this.#remembered(key)) ?? EMPTY_RECORD;
      const before = currentRecord(found, now, this.#policy);
      const { record, result, keepUntil = 0 } = rule(before, now);
      if (record === before) return result;
      const end = Math.max(endOf(record, this.#policy), keepUntil, now + 1000);
      const ttl = (end - now) / 1000;
      if (await this.#store.compareAndSet(key, stored, encode(record), ttl)) {
        await this.#remember(key, record, ttl);
        return result;
      }
    }
    throw AuthError.unavailable('Too many changes at once.');
  }

  async #remembered(key: string): Promise<AccountRecord | undefined> {
    return this.#copy && decode(await this.#copy.#store.get(key));
  }

  async #remember(key: string, record: AccountRecord, ttl: number): Promise<void> {
    if (this.#copy) await this.#copy.#store.set(key, encode(record), ttl);
  }
}

const FIELDS = Object.keys(EMPTY_RECORD) as (keyof AccountRecord)[];

const encode = (record: AccountRecord): string => FIELDS.map((field) => record[field]).join(' ');

/** Undefined for what is no record: then it counts as lost. */
function decode(text: string | undefined): AccountRecord | undefined {
  const numbers = text?.split(' ').map(Number) ?? [];
  if (numbers.length !== FIELDS.length || !numbers.every((number) => number >= 0)) return undefined;
  return Object.fromEntries(
    FIELDS.map((field, index) => [field, numbers[index]]),
  ) as unknown as AccountRecord;
}
