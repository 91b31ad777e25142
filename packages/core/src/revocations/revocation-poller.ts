import { AuthError } from '../kernel/auth-error.js';
import type { Clock } from '../kernel/clock.js';
import { withDeadline } from '../kernel/deadline.js';
import type { Logger } from '../kernel/logger.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { cursorOf, type FeedPosition } from './feed-cursor.js';
import type { RevocationRepository } from './revocation-repository.js';
import { REVOCATIONS_CHANNEL, type RevocationPage } from './revocation.js';

/** Receives what the poller reads. Its methods return at once and never throw. */
export interface PollListener {
  /** New entries, at least one, and the cursor after them. The same object for every listener. */
  onPage(page: RevocationPage): void;
  /** The feed was read within the last two seconds; called every five seconds, for each listener at another time. */
  onHeartbeat?(cursor: string): void;
  /** The database has not been read for two seconds. Called until it is read again. */
  onStale?(): void;
  /** The feed ends for this listener: the process stops, or the database is another one since. */
  onEnd(reason: 'stopping' | 'gone'): void;
}

/** Numbers for metrics. */
export interface FeedCounts {
  listeners: number;
  /** Seconds since the database was last read; 0 while there are no listeners. */
  lagSeconds: number;
  polls: { success: number; failure: number };
  /** Entries that were read for listeners. */
  entries: number;
}

const INTERVAL_MS = 200;
/** The least time between two polls that are caused by announcements. */
const ANNOUNCED_INTERVAL_MS = 20;
const HEARTBEAT_MS = 5_000;
const HEARTBEAT_PHASES = HEARTBEAT_MS / INTERVAL_MS;
/** Listeners rely on the feed no longer if the database has not been read for this time. */
const FRESH_MS = 2_000;
/** A poll that takes longer is not answered any more, most likely. */
const HANGING_MS = 1_000;

/**
 * Reads new revocations for all listeners of the process: every 200 ms while there are any, and at once when a replica
 * announces one. Without Redis there are no announcements, and the interval alone is fast enough.
 */
export class RevocationPoller {
  readonly #deps;
  /** With the time at which the next heartbeat of each is due. */
  readonly #listeners = new Map<PollListener, number>();
  readonly #counts = { success: 0, failure: 0, entries: 0 };
  #timer: NodeJS.Timeout | undefined;
  #announced: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;
  #position: FeedPosition | undefined;
  #reading: Promise<void> | undefined;
  /** Start of the last successful poll, and of the last poll. */
  #freshAt = Number.NEGATIVE_INFINITY;
  #beganAt = Number.NEGATIVE_INFINITY;
  #joined = 0;
  #hasFailed = false;
  #joinedAt = 0;
  #isClosed = false;

  constructor(deps: {
    readonly revocations: RevocationRepository;
    readonly store: EphemeralStore;
    readonly clock: Clock;
    readonly logger: Logger;
  }) {
    this.#deps = deps;
  }

  get counts(): FeedCounts {
    const { success, failure, entries } = this.#counts;
    const since = Math.max(this.#freshAt, this.#joinedAt);
    const lagMs = this.#listeners.size === 0 ? 0 : this.#deps.clock.elapsed() - since;
    return {
      listeners: this.#listeners.size,
      lagSeconds: lagMs / 1000,
      polls: { success, failure },
      entries,
    };
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The cursor of the last poll. Undefined until the first one. */
  get cursor(): string | undefined {
    return this.#position && cursorOf(this.#position);
  }

  /** Returns whether the database was read within the last two seconds. */
  get isFresh(): boolean {
    return this.#deps.clock.elapsed() - this.#freshAt <= FRESH_MS;
  }

  /**
   * Throws if polls of the last two seconds have failed or hang, so that no request waits for a statement that will not
   * be answered. A process that was paused itself begins a poll first.
   * @throws AuthError `service_unavailable`.
   */
  assertReadable(): void {
    const isHanging = this.#deps.clock.elapsed() - this.#beganAt > HANGING_MS;
    if (this.#isStale && (this.#hasFailed || isHanging)) throw AuthError.unavailable(UNREAD);
  }

  /** Listeners that have just joined are given the time of a poll first. */
  get #isStale(): boolean {
    const hasTried = this.#listeners.size > 0 && this.#deps.clock.elapsed() - this.#joinedAt > FRESH_MS;
    return hasTried && !this.isFresh;
  }

  /** Adds a listener. @returns a function that removes it. */
  join(listener: PollListener): () => void {
    if (this.#listeners.size === 0) this.#start();
    // Those who join together take turns, so that heartbeats are not all sent at once.
    const phase = (this.#joined++ % HEARTBEAT_PHASES) + 1;
    this.#listeners.set(listener, this.#deps.clock.elapsed() + phase * INTERVAL_MS);
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#pause();
    };
  }

  /**
   * Resolves when every later commit will be passed to the listeners that have joined.
   * @throws AuthError `service_unavailable` when the database is not read within two seconds.
   */
  async ready(): Promise<void> {
    if (this.#position && this.isFresh) return;
    this.assertReadable();
    await withDeadline(this.#poll(), FRESH_MS, UNREAD);
  }

  /** Ends the feed for every listener, and for good. */
  close(): void {
    this.#isClosed = true;
    this.#endAll('stopping');
  }

  #start(): void {
    const { clock, store } = this.#deps;
    this.#joinedAt = clock.elapsed();
    this.#timer = setInterval(() => this.#tick(), INTERVAL_MS);
    this.#timer.unref();
    this.#unsubscribe = store.subscribe(REVOCATIONS_CHANNEL, () => this.#wake());
  }

  #pause(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#announced);
    this.#announced = undefined;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#position = undefined;
    this.#freshAt = Number.NEGATIVE_INFINITY;
  }

  #tick(): void {
    // The failure was logged and counted; the next tick tries again.
    this.#poll().catch(() => undefined);
    const now = this.#deps.clock.elapsed();
    if (this.#isStale) {
      for (const listener of this.#listeners.keys()) listener.onStale?.();
    }
    if (this.isFresh) this.#beat(now);
  }

  #beat(now: number): void {
    const { cursor } = this;
    if (cursor === undefined) return;
    for (const [listener, dueAt] of this.#listeners) {
      if (dueAt > now) continue;
      // After an outage all are due; each keeps its turn from then on.
      const missed = Math.floor((now - dueAt) / HEARTBEAT_MS);
      this.#listeners.set(listener, dueAt + (missed + 1) * HEARTBEAT_MS);
      listener.onHeartbeat?.(cursor);
    }
  }

  /** Polls soon because a replica has announced a commit; many announcements cause few polls. */
  #wake(): void {
    if (this.#announced) return;
    const wait = Math.max(0, this.#beganAt + ANNOUNCED_INTERVAL_MS - this.#deps.clock.elapsed());
    this.#announced = setTimeout(() => {
      this.#announced = undefined;
      // A poll that is under way may have begun before the commit.
      const after = this.#reading ?? Promise.resolve();
      after
        .catch(() => undefined)
        .then(() => (this.#listeners.size > 0 ? this.#poll() : undefined))
        .catch(() => undefined);
    }, wait);
    this.#announced.unref();
  }

  #poll(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { clock, logger } = this.#deps;
    const beganAt = clock.elapsed();
    this.#beganAt = beganAt;
    try {
      await this.#deliver();
      this.#counts.success += 1;
      if (this.#hasFailed) logger.info({}, 'The revocation feed is read again.');
      this.#hasFailed = false;
      // Without a listener nothing is polled, so nothing that was read stays fresh.
      if (this.#listeners.size > 0) this.#freshAt = beganAt;
      else this.#position = undefined;
    } catch (error) {
      if (AuthError.is(error) && error.code === 'gone') {
        this.#position = undefined;
        this.#endAll('gone');
      }
      this.#counts.failure += 1;
      if (!this.#hasFailed) logger.warn({ err: error }, UNREAD);
      this.#hasFailed = true;
      throw error;
    }
  }

  async #deliver(): Promise<void> {
    const { revocations } = this.#deps;
    const since = this.#position;
    if (!since) {
      this.#position = await revocations.position();
      return;
    }
    const { position, entries } = await revocations.readSince(since);
    this.#position = position;
    this.#counts.entries += entries.length;
    if (entries.length === 0) return;
    for (const page of pagesOf(entries, cursorOf(since), cursorOf(position))) {
      for (const listener of this.#listeners.keys()) listener.onPage(page);
    }
  }

  #endAll(reason: 'stopping' | 'gone'): void {
    for (const listener of this.#listeners.keys()) listener.onEnd(reason);
    this.#listeners.clear();
    this.#pause();
  }
}

const UNREAD = 'The revocation feed could not be read from the database.';
/** Entries of a page. The cursor moves with the last page only: a reader that misses it gets all of them again. */
const PAGE = 5_000;

function pagesOf(entries: RevocationPage['entries'], before: string, after: string): RevocationPage[] {
  const pages: RevocationPage[] = [];
  for (let start = 0; start < entries.length; start += PAGE) {
    const isLast = start + PAGE >= entries.length;
    pages.push({ cursor: isLast ? after : before, entries: entries.slice(start, start + PAGE) });
  }
  return pages;
}
