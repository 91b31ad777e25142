import type { Logger } from '../kernel/logger.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';

/** Keys that are deleted by one command. */
const KEYS_AT_ONCE = 200;

/** Removes what the ephemeral store holds about the sign-ins of an account. */
export class AccountTraces {
  readonly #store: EphemeralStore;
  readonly #logger: Logger;

  constructor(store: EphemeralStore, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  /**
   * Removes the counts of these emails and what is known of the addresses that used them. Never rejects: what is not removed
   * expires, after 30 days at the latest.
   */
  async forget(emails: readonly string[], ipAddresses: readonly string[]): Promise<void> {
    try {
      for (const email of emails) await this.#forgetOne(email, ipAddresses);
    } catch (error) {
      this.#logger.warn(
        { err: error },
        'Counts of sign-ins of an erased user were not removed from Redis; they expire within 30 days.',
      );
    }
  }

  async #forgetOne(email: string, ipAddresses: readonly string[]): Promise<void> {
    // Operators' tools load the library for network addresses only here.
    const { throttleKeys } = await import('./attempt-counter.js');
    const { record, known, failed } = throttleKeys(email);
    const keys = [record, ...[null, ...ipAddresses].flatMap((ip) => [known(ip), failed(ip)])];
    const distinct = [...new Set(keys)];
    for (let start = 0; start < distinct.length; start += KEYS_AT_ONCE) {
      await this.#store.delete(...distinct.slice(start, start + KEYS_AT_ONCE));
    }
  }
}
