import type { Logger } from '../kernel/logger.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';

export interface RevocationMarkersOptions {
  /** False where no guard uses hints: there is nothing to contradict then. */
  enabled: boolean;
  /** Seconds a marker lives: at least as long as a hint and an access token. */
  ttl: number;
  logger: Logger;
}

/** How many markers are written at once after a mass revocation. */
const CHUNK = 500;

/** Marks of ended sessions in the ephemeral store: a guard that lives on hints then asks the database. */
export class RevocationMarkers {
  readonly #store: EphemeralStore;
  readonly #options: RevocationMarkersOptions;

  constructor(store: EphemeralStore, options: RevocationMarkersOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Marks ended sessions and takes their hints away; to be called after the commit. Never rejects. */
  async mark(sessionIds: readonly string[]): Promise<void> {
    if (!this.#options.enabled) return;
    try {
      for (let start = 0; start < sessionIds.length; start += CHUNK) {
        await Promise.all(sessionIds.slice(start, start + CHUNK).map((id) => this.#markOne(id)));
      }
    } catch (error) {
      this.#options.logger.warn(
        { err: error, sessions: sessionIds.length },
        'revocation markers not written; guards that use hints refuse these sessions when the hints expire',
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
