import { epochSeconds, type VerifierClock } from '../clock.js';
import { invalidKey, unavailable } from '../errors.js';
import type { FeedCredential } from '../feed/feed-credential.js';
import type { Revocations } from '../feed/revocations.js';
import { requestJson, type Fetch } from '../http/request-json.js';
import { dataOf } from '../json.js';
import { LruMap } from '../lru-map.js';
import { digestOf } from './digest.js';
import { callerOfKey } from './key-caller.js';
import type { VerifiedCaller } from './verified-caller.js';

interface ApiKeysDeps {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly clock: VerifierClock;
  readonly credential: FeedCredential;
  readonly revocations: Revocations;
  /** Returns whether revocations arrive. Without them every use asks the service. */
  readonly isLive: () => boolean;
}

interface RememberedKey {
  caller: VerifiedCaller;
  /** Milliseconds on the monotonic clock. */
  askedAt: number;
}

/** The form of an API key; its checksum is left to the service. */
const FORM = /^lkk_[0-9A-Za-z]{49}$/;
const REMEMBERED_MS = 60_000;
const REMEMBERED_KEYS = 10_000;
const TIMEOUT_MS = 3_000;

/** Verifies API keys at the service, and remembers them by digest for 60 seconds while the feed is live. */
export class ApiKeys {
  readonly #deps: ApiKeysDeps;
  readonly #remembered = new LruMap<RememberedKey>(REMEMBERED_KEYS);

  constructor(deps: ApiKeysDeps) {
    this.#deps = deps;
  }

  /** Returns the caller of a key. @throws VerificationError `unauthorized`, `service_unavailable`. */
  async verify(key: string): Promise<VerifiedCaller> {
    if (!FORM.test(key)) throw invalidKey();
    const digest = await digestOf(key);
    const remembered = this.#recall(digest);
    if (remembered) return remembered;
    const askedAt = this.#deps.clock.elapsed();
    const caller = await this.#ask(key);
    // An entry that arrived meanwhile may be about what the service has just said.
    if (this.#isOutdated({ caller, askedAt })) throw invalidKey();
    this.#remembered.set(digest, { caller, askedAt });
    return caller;
  }

  #recall(digest: string): VerifiedCaller | undefined {
    const remembered = this.#remembered.get(digest);
    if (!remembered) return undefined;
    const { clock, isLive } = this.#deps;
    const isFresh =
      isLive() &&
      clock.elapsed() - remembered.askedAt < REMEMBERED_MS &&
      epochSeconds(clock) < remembered.caller.expiresAt &&
      !this.#isOutdated(remembered);
    if (isFresh) return remembered.caller;
    this.#remembered.delete(digest);
    return undefined;
  }

  #isOutdated({ caller: { sessionId }, askedAt }: RememberedKey): boolean {
    const { revocations } = this.#deps;
    return revocations.isSessionRevoked(sessionId) || revocations.isKeyRotatedSince(sessionId, askedAt);
  }

  async #ask(key: string): Promise<VerifiedCaller> {
    const { status, body } = await this.#send(key);
    const data = status === 200 ? dataOf(body) : undefined;
    // Too many wrong keys: this one was wrong, too.
    if (status === 429 || data?.active === false) throw invalidKey();
    const caller = data && callerOfKey(data, epochSeconds(this.#deps.clock));
    if (caller) return caller;
    if (status === 401 || status === 403) this.#deps.credential.forget();
    throw unavailable(new Error(`/internal/api-keys/verify responded with status ${status}`));
  }

  async #send(apiKey: string) {
    const { baseUrl, fetch, credential } = this.#deps;
    const url = `${baseUrl}/internal/api-keys/verify`;
    try {
      const headers = await credential.headers(AbortSignal.timeout(TIMEOUT_MS));
      return await requestJson(fetch, {
        url,
        timeoutMs: TIMEOUT_MS,
        init: {
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/json', Accept: 'application/json' },
          body: JSON.stringify({ apiKey }),
        },
      });
    } catch (error) {
      throw unavailable(error);
    }
  }
}
