import type { CryptoKey } from 'jose';
import type { VerifierClock } from '../clock.js';
import { unauthorized, unavailable } from '../errors.js';
import { requestJson, type Fetch } from '../http/request-json.js';
import type { VerifierLogger } from '../logger.js';
import { quietInterval } from '../timers.js';
import { membersOf, readKey, type PublishedKey } from './public-key.js';

const TIMEOUT_MS = 3_000;
/** A withdrawn key is accepted for at most this long. */
const REFRESH_MS = 300_000;
/** An unknown key causes no other fetch for this long after a fetch, so forged tokens cause no load. */
const COOLDOWN_MS = 30_000;
/** The same after a fetch that failed. */
const RETRY_MS = 1_000;

/**
 * The issuer's public keys, refreshed in the background. Known keys keep working while the issuer is unavailable. An
 * unknown key is fetched.
 */
export class KeySet {
  readonly #deps;
  readonly #stopRefreshing: () => void;
  #keys = new Map<string, PublishedKey>();
  #fetching: Promise<void> | undefined;
  #fetchedAt: number | undefined;
  #failedAt: number | undefined;

  constructor(deps: {
    readonly url: string;
    readonly fetch: Fetch;
    readonly clock: VerifierClock;
    readonly logger: VerifierLogger;
  }) {
    this.#deps = deps;
    this.#stopRefreshing = quietInterval(() => void this.#refresh(), REFRESH_MS);
  }

  get size(): number {
    return this.#keys.size;
  }

  /** Reports whether a key that once verified a token is still published. */
  isCurrent(keyId: string, key: CryptoKey): boolean {
    return this.#keys.get(keyId)?.key === key;
  }

  /** Returns a key. @throws VerificationError `unauthorized`; `service_unavailable` if an unknown key cannot be fetched. */
  async find(keyId: string | undefined): Promise<CryptoKey> {
    if (keyId === undefined) throw unauthorized();
    const known = this.#keys.get(keyId);
    if (known) return known.key;
    if (this.#isWithin(COOLDOWN_MS, this.#fetchedAt)) throw unauthorized();
    if (this.#isWithin(RETRY_MS, this.#failedAt)) throw unavailable();
    await this.load().catch((cause: unknown) => {
      throw unavailable(cause);
    });
    const found = this.#keys.get(keyId);
    if (!found) throw unauthorized();
    return found.key;
  }

  /** Fetches the published keys; calls at the same time share one fetch. @throws Error that says what is wrong. */
  load(): Promise<void> {
    return (this.#fetching ??= this.#load().finally(() => (this.#fetching = undefined)));
  }

  close(): void {
    this.#stopRefreshing();
  }

  #isWithin(ms: number, moment: number | undefined): boolean {
    return moment !== undefined && this.#deps.clock.elapsed() - moment < ms;
  }

  async #refresh(): Promise<void> {
    await this.load().catch((err: unknown) => {
      const message =
        'The key set cannot be refreshed. Known keys stay in use; a new key is fetched when it is needed.';
      this.#deps.logger.warn({ err }, message);
    });
  }

  async #load(): Promise<void> {
    const startedAt = this.#deps.clock.elapsed();
    try {
      this.#keys = await this.#fetchKeys();
      this.#fetchedAt = startedAt;
      this.#failedAt = undefined;
    } catch (error) {
      this.#failedAt = this.#deps.clock.elapsed();
      throw error;
    }
  }

  async #fetchKeys(): Promise<Map<string, PublishedKey>> {
    const { url, fetch } = this.#deps;
    const { status, body } = await requestJson(fetch, { url, timeoutMs: TIMEOUT_MS });
    if (status !== 200) throw new Error(`${url} responded with status ${status}`);
    const keys = (await Promise.all(membersOf(body).map(readKey))).filter((key) => key !== undefined);
    if (keys.length === 0) throw new Error(`${url} has no key for RS256`);
    return new Map(keys.map((key) => [key.id, this.#unlessKnown(key)]));
  }

  /** Keeps the object of an unchanged key, so that remembered tokens stay remembered. */
  #unlessKnown(key: PublishedKey): PublishedKey {
    const known = this.#keys.get(key.id);
    return known?.text === key.text ? known : key;
  }
}
