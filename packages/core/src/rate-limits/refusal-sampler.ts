import type { Clock } from '../kernel/clock.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { MemoryEphemeralStore } from '../storage/ephemeral-store.memory.js';
import { isUnavailable } from './fail-mode.js';

/** The part of an audit row that counts equal refusals without a row. */
export interface SampledRefusal {
  /** Number of refusals since the last row; absent when there were none. */
  repeated?: number;
}

const WINDOW_SECONDS = 60;
/** Time for which a count is kept for the next row. */
const COUNT_SECONDS = 86_400;

/**
 * Decides which of many equal refusals is written to the audit log: the first one per minute, across all replicas. While
 * the store is unavailable, each process decides by itself.
 */
export class RefusalSampler {
  readonly #store: EphemeralStore;
  readonly #own: MemoryEphemeralStore;

  constructor({ store, clock }: { store: EphemeralStore; clock: Clock }) {
    this.#store = store;
    this.#own = new MemoryEphemeralStore({ clock });
  }

  /**
   * Counts a refusal.
   * @param key identifies the refusal and the client, without a secret.
   * @returns additional details for the audit row, or undefined if no row is to be written.
   */
  async sample(key: string): Promise<SampledRefusal | undefined> {
    try {
      return await sampleIn(this.#store, key);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return sampleIn(this.#own, key);
    }
  }

  /** Closes the in-process store; the shared store stays open. */
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
