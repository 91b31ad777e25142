import { Batcher } from '../kernel/batcher.js';
import type { SharedClock } from '../kernel/clock.js';
import { ValueSigner } from '../kernel/signed-value.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import type { GlobalRole } from '../users/user.js';
import { hintKey, markerKey } from './revocation-markers.js';

/** Content of a hint: the user of a session that was active a moment ago. */
export interface SessionHint {
  userId: string;
  globalRole: GlobalRole;
  tokenVersion: number;
}

/**
 * Stores hints about sessions in the ephemeral store, for guards that cannot afford a database read each
 * time. A hint is signed and dated, so a manipulated store cannot let a client in; a revocation marker only
 * makes the reader ask the database. An unavailable store yields no hints.
 */
export class SessionCache {
  readonly #store: EphemeralStore;
  readonly #ttl: number;
  readonly #signer: ValueSigner;
  /** The stored texts of hints that no marker contradicts. */
  readonly #hints: Batcher<string>;

  constructor(
    store: EphemeralStore,
    options: {
      /** Lifetime of a hint in seconds; 0 turns hints off. */
      ttl: number;
      /** Signs the hints. */
      key: Buffer;
      clock: SharedClock;
    },
  ) {
    this.#store = store;
    this.#ttl = options.ttl;
    this.#signer = new ValueSigner([options.key], options.clock);
    this.#hints = new Batcher((sessionIds) => this.#read(sessionIds));
  }

  /**
   * Returns the hint of a session if it is genuine, young and not contradicted by a revocation marker; else
   * undefined. The calls of one turn of the event loop share one read, which is sent after each of them.
   */
  async find(sessionId: string): Promise<SessionHint | undefined> {
    if (this.#ttl === 0) return undefined;
    try {
      const hint = await this.#hints.load(sessionId);
      if (hint === undefined) return undefined;
      return (await this.#signer.verify(hintKey(sessionId), hint)) as SessionHint | undefined;
    } catch {
      return undefined;
    }
  }

  /** Stores a hint about a session that the database has just reported as active. */
  async remember(sessionId: string, hint: SessionHint): Promise<void> {
    if (this.#ttl === 0) return;
    try {
      const key = hintKey(sessionId);
      await this.#store.set(key, await this.#signer.sign(key, hint, this.#ttl), this.#ttl);
    } catch {
      // Without the store each check reads the database: slower, never wrong.
    }
  }
  async #read(sessionIds: readonly string[]): Promise<Map<string, string>> {
    const values = await this.#store.getMany(sessionIds.flatMap((id) => [hintKey(id), markerKey(id)]));
    const hints = new Map<string, string>();
    sessionIds.forEach((id, index) => {
      const [hint, marker] = [values[2 * index], values[2 * index + 1]];
      if (hint !== undefined && marker === undefined) hints.set(id, hint);
    });
    return hints;
  }
}
