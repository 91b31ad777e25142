import type { VerifierClock } from '../clock.js';
import type { FeedEntry } from './feed-entry.js';

interface RevocationsDeps {
  readonly clock: VerifierClock;
  /** Time for which an entry is kept after it was received. Must exceed the life of any accepted token. */
  readonly keepSeconds: number;
}

interface OutdatedTokens {
  minTokenVersion: number;
  /** Seconds on the monotonic clock. */
  receivedAt: number;
}

/**
 * Entries of the revocation feed. An entry is kept for a time after it was received, on the monotonic clock: a wall
 * clock that is wrong for a while loses none.
 */
export class Revocations {
  readonly #deps: RevocationsDeps;
  // Both are ordered by the time of receipt. Plain numbers keep the first one small.
  readonly #sessions = new Map<string, number>();
  readonly #users = new Map<string, OutdatedTokens>();

  constructor(deps: RevocationsDeps) {
    this.#deps = deps;
  }

  /** Number of sessions and users with an entry. */
  get size(): number {
    return this.#sessions.size + this.#users.size;
  }

  add(entry: FeedEntry): void {
    const receivedAt = this.#seconds();
    if (entry.type === 'session-revoked') {
      const sid = entry.sid.toLowerCase();
      this.#sessions.delete(sid);
      this.#sessions.set(sid, receivedAt);
      return;
    }
    const sub = entry.sub.toLowerCase();
    const minTokenVersion = Math.max(entry.minTokenVersion, this.minTokenVersion(sub));
    this.#users.delete(sub);
    this.#users.set(sub, { minTokenVersion, receivedAt });
  }

  isSessionRevoked(sessionId: string): boolean {
    return this.#sessions.has(sessionId.toLowerCase());
  }

  /** Returns the lowest accepted token version of a user; 0 if all are accepted. */
  minTokenVersion(userId: string): number {
    return this.#users.get(userId.toLowerCase())?.minTokenVersion ?? 0;
  }

  /** Forgets entries whose tokens have all expired. */
  forgetExpired(): void {
    const oldest = this.#seconds() - this.#deps.keepSeconds;
    for (const [sid, receivedAt] of this.#sessions) {
      if (receivedAt > oldest) break;
      this.#sessions.delete(sid);
    }
    for (const [sub, { receivedAt }] of this.#users) {
      if (receivedAt > oldest) break;
      this.#users.delete(sub);
    }
  }

  #seconds(): number {
    return Math.floor(this.#deps.clock.elapsed() / 1000);
  }
}
