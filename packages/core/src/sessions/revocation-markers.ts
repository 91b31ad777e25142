import type { Logger } from '../kernel/logger.js';
import { REVOCATIONS_CHANNEL } from '../revocations/revocation.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';

/** Number of markers that are written at once after a mass revocation. */
const CHUNK = 500;

/**
 * Marks revoked sessions in the ephemeral store, so that guards that rely on hints ask the database, and announces them to
 * the revocation feed of every replica.
 */
export class RevocationMarkers {
  readonly #store: EphemeralStore;
  readonly #options;

  constructor(
    store: EphemeralStore,
    options: {
      /** False if no guard uses hints: then there is nothing to contradict. */
      enabled: boolean;
      /** Lifetime of a marker in seconds: at least that of a hint and of an access token. */
      ttl: number;
      logger: Logger;
    },
  ) {
    this.#store = store;
    this.#options = options;
  }

  /** Marks revoked sessions and deletes their hints; call it after the commit. Never rejects. */
  async mark(sessionIds: readonly string[]): Promise<void> {
    this.#store.publish(REVOCATIONS_CHANNEL);
    if (!this.#options.enabled) return;
    try {
      for (let start = 0; start < sessionIds.length; start += CHUNK) {
        await Promise.all(sessionIds.slice(start, start + CHUNK).map((id) => this.#markOne(id)));
      }
    } catch (error) {
      this.#options.logger.warn(
        { err: error, sessions: sessionIds.length },
        'Revocation markers were not written; guards that use hints reject these sessions when the hints expire.',
      );
    }
  }

  async #markOne(sessionId: string): Promise<void> {
    await Promise.all([
      this.#store.set(markerKey(sessionId), '1', this.#options.ttl),
      this.#store.delete(hintKey(sessionId)),
    ]);
  }
}

export const hintKey = (sessionId: string): string => `session:live:${sessionId}`;
export const markerKey = (sessionId: string): string => `session:revoked:${sessionId}`;
