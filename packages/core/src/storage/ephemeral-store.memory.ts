import { EventEmitter } from 'node:events';
import { AuthError } from '../kernel/auth-error.js';
import type { Clock } from '../kernel/clock.js';
import { ttlMs, type EphemeralStore } from './ephemeral-store.js';

interface Entry {
  value: string;
  expiresAt: number;
}

const DEFAULT_MAX_ENTRIES = 100_000;
const SWEEP_INTERVAL_MS = 30_000;
/** Entries checked in one sweep, so that a full store does not hold up requests. */
const SWEEP_ENTRIES = 10_000;

/** The store inside this process, for development and tests: other replicas do not see it. */
export class MemoryEphemeralStore implements EphemeralStore {
  readonly kind = 'memory';
  readonly isCircuitOpen = false;
  readonly #entries = new Map<string, Entry>();
  readonly #announcements = new EventEmitter();
  readonly #maxEntries: number;
  readonly #clock: Clock;
  readonly #sweeper: NodeJS.Timeout;

  constructor(options: {
    /** Maximum number of entries. Defaults to 100 000. The oldest are dropped first. */
    maxEntries?: number;
    clock: Clock;
  }) {
    this.#maxEntries = options.maxEntries ?? DEFAULT_MAX_ENTRIES;
    this.#clock = options.clock;
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS);
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#entries.size;
  }

  async get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.#live(key)?.value);
  }

  async getMany(keys: readonly string[]): Promise<(string | undefined)[]> {
    return Promise.resolve(keys.map((key) => this.#live(key)?.value));
  }

  async set(key: string, value: string, ttlSeconds: number): Promise<void> {
    this.#write(key, value, this.#clock.elapsed() + ttlMs(ttlSeconds));
    return Promise.resolve();
  }

  async setIfAbsent(key: string, value: string, ttlSeconds: number): Promise<boolean> {
    const expiresAt = this.#clock.elapsed() + ttlMs(ttlSeconds);
    if (this.#live(key)) return Promise.resolve(false);
    this.#write(key, value, expiresAt);
    return Promise.resolve(true);
  }

  async compareAndSet(
    key: string,
    expected: string | undefined,
    value: string,
    ttlSeconds: number,
  ): Promise<boolean> {
    const expiresAt = this.#clock.elapsed() + ttlMs(ttlSeconds);
    if (this.#live(key)?.value !== expected) return Promise.resolve(false);
    this.#write(key, value, expiresAt);
    return Promise.resolve(true);
  }

  async getAndDelete(key: string): Promise<string | undefined> {
    const value = this.#live(key)?.value;
    this.#entries.delete(key);
    return Promise.resolve(value);
  }

  async increment(key: string, ttlSeconds: number): Promise<number> {
    const expiresAt = this.#clock.elapsed() + ttlMs(ttlSeconds);
    const entry = this.#live(key);
    if (!entry) {
      this.#write(key, '1', expiresAt);
      return Promise.resolve(1);
    }
    if (!/^-?\d+$/.test(entry.value)) throw AuthError.unavailable('The value is not a counter.');
    const sum = Number(entry.value) + 1;
    entry.value = String(sum);
    return Promise.resolve(sum);
  }

  async delete(...keys: string[]): Promise<void> {
    for (const key of keys) this.#entries.delete(key);
    return Promise.resolve();
  }

  publish(channel: string): void {
    this.#announcements.emit(channel);
  }

  subscribe(channel: string, listener: () => void): () => void {
    this.#announcements.on(channel, listener);
    return () => this.#announcements.off(channel, listener);
  }

  async ping(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#entries.clear();
    return Promise.resolve();
  }

  #live(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.expiresAt > this.#clock.elapsed()) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  /** Writes the entry at the end of the map, so that the map's order is the order of writing. */
  #write(key: string, value: string, expiresAt: number): void {
    this.#entries.delete(key);
    if (this.#entries.size >= this.#maxEntries) this.#dropOldest();
    this.#entries.set(key, { value, expiresAt });
  }

  #dropOldest(): void {
    const oldest = this.#entries.keys().next();
    if (oldest.done !== true) this.#entries.delete(oldest.value);
  }

  /** Checks the oldest entries and moves the living ones to the end, so that each sweep meets others. */
  #sweep(): void {
    let left = Math.min(SWEEP_ENTRIES, this.#entries.size);
    for (const [key, entry] of this.#entries) {
      if (left-- === 0) return;
      this.#entries.delete(key);
      if (entry.expiresAt > this.#clock.elapsed()) this.#entries.set(key, entry);
    }
  }
}
