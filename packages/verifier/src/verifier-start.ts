import type { FeedReader } from './feed/feed-reader.js';
import { FeedRefusal } from './feed/feed-refusal.js';
import type { Freshness } from './feed/freshness.js';
import type { KeySet } from './keys/key-set.js';

const CHECK_MS = 20;
const KEYS_RETRY_MS = 500;

/**
 * Waits until the key set and the first snapshot are known.
 * @throws Error at once when the service rejects the credential, else when the time is over.
 */
export async function waitForStart(
  parts: { readonly keys: KeySet; readonly freshness: Freshness; readonly reader: FeedReader },
  timeoutMs: number,
): Promise<void> {
  const { keys, freshness, reader } = parts;
  const deadline = performance.now() + timeoutMs;
  const keyLoad = new KeyLoad(keys);
  for (;;) {
    if (keys.size > 0 && freshness.heardAt !== undefined) return;
    const { lastError } = reader;
    if (lastError instanceof FeedRefusal && lastError.isPermanent) throw startError(lastError);
    if (performance.now() >= deadline) throw startError(lastError ?? keyLoad.lastError);
    keyLoad.attempt();
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
  }
}

/** Attempts to load the key set, one after the other. */
class KeyLoad {
  lastError: unknown;
  readonly #keys: KeySet;
  #attemptAt = 0;

  constructor(keys: KeySet) {
    this.#keys = keys;
  }

  attempt(): void {
    if (this.#keys.size > 0 || performance.now() < this.#attemptAt) return;
    this.#attemptAt = performance.now() + KEYS_RETRY_MS;
    this.#keys.load().catch((error: unknown) => (this.lastError = error));
  }
}

function startError(cause: unknown): Error {
  const detail = cause instanceof Error ? ` ${cause.message}` : '';
  return new Error(
    `createVerifier: keys and revocations of the service could not be read.${detail} ` +
      'Pass startStale: true to start without them.',
    { cause },
  );
}
