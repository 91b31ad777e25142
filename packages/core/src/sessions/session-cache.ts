import { createHmac } from 'node:crypto';
import { digestsEqual } from '../kernel/secret.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import type { GlobalRole } from '../users/user.js';
import { hintKey, markerKey } from './revocation-markers.js';

/** What a hint says of a session that was live a moment ago. */
export interface SessionHint {
  userId: string;
  globalRole: GlobalRole;
  tokenVersion: number;
}

export interface SessionCacheOptions {
  /** Seconds a positive hint lives; 0 turns hints off. */
  ttl: number;
  /** Signs the hints. */
  key: Buffer;
}

/**
 * Hints about sessions in the ephemeral store, for guards that cannot afford a database read each time. A positive
 * hint is signed and dated, so a falsified store cannot let anybody in; a revocation marker only makes the reader
 * ask the database. A store that is away yields no hints.
 */
export class SessionCache {
  readonly #store: EphemeralStore;
  readonly #options: SessionCacheOptions;

  constructor(store: EphemeralStore, options: SessionCacheOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** A hint that is genuine, young and not contradicted by a revocation marker; else undefined. */
  async find(sessionId: string): Promise<SessionHint | undefined> {
    if (this.#options.ttl === 0) return undefined;
    try {
      const [hint, marker] = await Promise.all([
        this.#store.get(hintKey(sessionId)),
        this.#store.get(markerKey(sessionId)),
      ]);
      return hint && !marker ? this.#open(sessionId, hint) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Remembers a session the database has just called live. */
  async remember(sessionId: string, hint: SessionHint): Promise<void> {
    if (this.#options.ttl === 0) return;
    try {
      await this.#store.set(hintKey(sessionId), this.#seal(sessionId, hint), this.#options.ttl);
    } catch {
      // Without the store each check reads the database: slower, never wrong.
    }
  }

  #seal(sessionId: string, hint: SessionHint): string {
    const expiresAt = Date.now() + this.#options.ttl * 1000;
    const payload = JSON.stringify({ ...hint, expiresAt });
    return `${this.#mac(sessionId, payload)}.${payload}`;
  }

  #open(sessionId: string, sealed: string): SessionHint | undefined {
    const dot = sealed.indexOf('.');
    const payload = sealed.slice(dot + 1);
    const genuine = digestsEqual(
      Buffer.from(sealed.slice(0, Math.max(dot, 0))),
      Buffer.from(this.#mac(sessionId, payload)),
    );
    if (!genuine) return undefined;
    const { expiresAt, ...hint } = JSON.parse(payload) as SessionHint & { expiresAt: number };
    return expiresAt > Date.now() ? hint : undefined;
  }

  #mac(sessionId: string, payload: string): string {
    return createHmac('sha256', this.#options.key).update(`${sessionId}\n${payload}`).digest('base64url');
  }
}
