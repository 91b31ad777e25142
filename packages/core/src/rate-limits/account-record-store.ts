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

/** Runs tasks with the same key one after another, and tasks with different keys concurrently. */
class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(work);
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, ended);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    }
  }
}

/** Result of a rule. If the record is the same object, nothing is written. */
interface RecordChange<T> {
  record: AccountRecord;
  result: T;
  /** Time until which an empty record is kept, so that no process falls back to its own older copy. */
  keepUntil?: number;
}

type RecordRule<T> = (record: AccountRecord, now: number) => RecordChange<T>;

/** A record as the store has it: the caller's view, which a change verifies. */
export interface SeenRecord {
  readonly text: string | undefined;
}

/** Maximum number of processes that change one record at once: each failed attempt means that another one succeeded. */
const ATTEMPTS = 50;

/** Account records in one store. Each change decides and writes atomically. Rejects when the store does. */
export class AccountRecordStore {
  readonly #deps;
  readonly #mutex = new KeyedMutex();

  constructor(deps: {
    readonly store: EphemeralStore;
    readonly policy: ThrottlePolicy;
    readonly clock: Clock;
    /** Copy of the records written by this process, used when the store has lost them or is unavailable. */
    readonly copy?: AccountRecordStore | undefined;
  }) {
    this.#deps = deps;
  }

  /** Reads the record, to be passed to a change together with what else the caller reads at that time. */
  async read(key: string): Promise<SeenRecord> {
    return { text: await this.#deps.store.get(key) };
  }

  /**
   * Applies the rule to the current record. Requests of this process are serialized per record, so they never conflict.
   * @param seen the record as the caller last read or wrote it, which saves a read unless it has changed since.
   */
  change<T>(key: string, rule: RecordRule<T>, seen?: SeenRecord): Promise<T> {
    return this.#mutex.run(key, () => this.#change(key, rule, seen));
  }

  async #change<T>(key: string, rule: RecordRule<T>, seen: SeenRecord | undefined): Promise<T> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const isAssumed = seen !== undefined && attempt === 0;
      const stored = isAssumed ? seen.text : await this.#deps.store.get(key);
      const now = this.#deps.clock.now();
      const found = decode(stored) ?? (await this.#remembered(key)) ?? EMPTY_RECORD;
      const before = currentRecord(found, now, this.#deps.policy);
      const { record, result, keepUntil = 0 } = rule(before, now);
      if (record === before) {
        // Only a write verifies what was assumed.
        if (isAssumed) continue;
        return result;
      }
      const end = Math.max(endOf(record, this.#deps.policy), keepUntil, now + 1000);
      const ttl = (end - now) / 1000;
      if (await this.#deps.store.compareAndSet(key, stored, encode(record), ttl)) {
        await this.#remember(key, record, ttl);
        return result;
      }
    }
    throw AuthError.unavailable('Too many changes at once.');
  }

  async #remembered(key: string): Promise<AccountRecord | undefined> {
    return this.#deps.copy && decode(await this.#deps.copy.#deps.store.get(key));
  }

  async #remember(key: string, record: AccountRecord, ttl: number): Promise<void> {
    if (this.#deps.copy) await this.#deps.copy.#deps.store.set(key, encode(record), ttl);
  }
}

/** Returns how the store has a record that was written by a change. */
export const writtenRecord = (record: AccountRecord): SeenRecord => ({ text: encode(record) });

const FIELDS = Object.keys(EMPTY_RECORD) as (keyof AccountRecord)[];

const encode = (record: AccountRecord): string => FIELDS.map((field) => record[field]).join(' ');

/** Returns undefined for an invalid record, which is treated as lost. */
function decode(text: string | undefined): AccountRecord | undefined {
  const numbers = text?.split(' ').map(Number) ?? [];
  if (numbers.length !== FIELDS.length || !numbers.every((number) => number >= 0)) return undefined;
  return Object.fromEntries(
    FIELDS.map((field, index) => [field, numbers[index]]),
  ) as unknown as AccountRecord;
}
