import type { VerifierClock } from '../clock.js';
import type { FeedEntry } from './feed-entry.js';

interface RotatedKey {
  /** Seconds since the epoch: tokens of before are refused. */
  at: number;
  /** Milliseconds on the monotonic clock. */
  receivedAtMs: number;
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
  readonly #deps;
  // Both are ordered by the time of receipt. Plain numbers keep the first one small.
  readonly #sessions = new Map<string, number>();
  readonly #users = new Map<string, OutdatedTokens>();
  readonly #rotatedKeys = new Map<string, RotatedKey>();

  constructor(deps: {
    readonly clock: VerifierClock;
    /** Time for which an entry is kept after it was received. Must exceed the life of any accepted token. */
    readonly keepSeconds: number;
  }) {
    this.#deps = deps;
  }

  /** Number of sessions, API keys and users with an entry. */
  get size(): number {
    return this.#sessions.size + this.#users.size + this.#rotatedKeys.size;
  }

  add(entry: FeedEntry): void {
    const receivedAt = this.#seconds();
    if (entry.type === 'api-key-rotated') {
      this.#addRotation(entry.kid.toLowerCase(), Date.parse(entry.at) / 1000);
      return;
    }
    if (entry.type !== 'token-claims-change') {
      const sid = (entry.type === 'session-revoked' ? entry.sid : entry.kid).toLowerCase();
      this.#sessions.delete(sid);
      this.#sessions.set(sid, receivedAt);
      return;
    }
    const sub = entry.sub.toLowerCase();
    const minTokenVersion = Math.max(entry.minTokenVersion, this.minTokenVersion(sub));
    this.#users.delete(sub);
    this.#users.set(sub, { minTokenVersion, receivedAt });
  }

  #addRotation(kid: string, at: number): void {
    this.#rotatedKeys.delete(kid);
    this.#rotatedKeys.set(kid, { at: Math.floor(at), receivedAtMs: this.#deps.clock.elapsed() });
  }

  /** Returns whether the text of a key was replaced after this moment of the monotonic clock, in milliseconds. */
  isKeyRotatedSince(keyId: string, elapsedMs: number): boolean {
    const rotated = this.#rotatedKeys.get(keyId.toLowerCase());
    return rotated !== undefined && rotated.receivedAtMs >= elapsedMs;
  }

  /** Returns whether a token of a key was issued before the key was rotated. */
  isKeyTokenOutdated(keyId: string, issuedAt: number): boolean {
    return issuedAt < (this.#rotatedKeys.get(keyId.toLowerCase())?.at ?? 0);
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
    this.#forgetRotations(oldest);
    for (const [sid, receivedAt] of this.#sessions) {
      if (receivedAt > oldest) break;
      this.#sessions.delete(sid);
    }
    for (const [sub, { receivedAt }] of this.#users) {
      if (receivedAt > oldest) break;
      this.#users.delete(sub);
    }
  }

  #forgetRotations(oldest: number): void {
    for (const [kid, { receivedAtMs }] of this.#rotatedKeys) {
      if (receivedAtMs / 1000 > oldest) return;
      this.#rotatedKeys.delete(kid);
    }
  }

  #seconds(): number {
    return Math.floor(this.#deps.clock.elapsed() / 1000);
  }
}
