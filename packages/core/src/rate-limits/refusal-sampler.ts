import type { Clock } from '../kernel/clock.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { MemoryEphemeralStore } from '../storage/ephemeral-store.memory.js';
import { isUnavailable } from './fail-mode.js';

/** The part of an audit row about refusals like it that left no row of their own. */
export interface SampledRefusal {
  /** Number of refusals since the last row; absent when there were none. */
  repeated?: number;
}

const WINDOW_SECONDS = 60;
/** Time for which a count waits for the row that reports it. */
const COUNT_SECONDS = 86_400;

/**
 * Decides which of many equal refusals leaves an audit row: the first one in a minute, on all replicas together. While the
 * store is unavailable each process decides by itself.
 */
export class RefusalSampler {
  readonly #store: EphemeralStore;
  readonly #own: MemoryEphemeralStore;

  constructor({ store, clock }: { store: EphemeralStore; clock?: Clock | undefined }) {
    this.#store = store;
    this.#own = new MemoryEphemeralStore({ clock });
  }

  /**
   * Counts a refusal.
   * @param key names what was refused to whom, without a secret.
   * @returns what its audit row says beside the refusal itself; undefined when it leaves no row.
   */
  async sample(key: string): Promise<SampledRefusal | undefined> {
    try {
      return await sampleIn(this.#store, key);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return sampleIn(this.#own, key);
    }
  }

  /** Ends what this process keeps for itself; the store stays open. */
  async close(): Promise<void> {
    await this.#own.close();
  }
}

async function sampleIn(store: EphemeralStore, key: string): Promise<SampledRefusal | undefined> {
  const [row, count] = [`refusal:{${key}}:row`, `refusal:{${key}}:count`];
  if (!(await store.setIfAbsent(row, '1', WINDOW_SECONDS))) {
    await store.increment(count, COUNT_SECONDS);
    return undefined;
  }
  const repeated = Number(await store.getAndDelete(count)) || 0;
  return repeated > 0 ? { repeated } : {};
}
