import type { VerifierClock } from '../clock.js';
import { requestJson, type Fetch } from '../http/request-json.js';
import { dataOf, errorOf } from '../json.js';
import { FeedRefusal, refusalMessage } from './feed-refusal.js';

/** The credential of a verifier at the service, as headers of a request. */
export interface FeedCredential {
  /** @throws FeedRefusal, and what `fetch` throws. */
  headers(signal: AbortSignal): Promise<Record<string, string>>;
  /** Forgets what the service has rejected. */
  forget(): void;
}

/** The internal key of the service. */
export class InternalKey implements FeedCredential {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  headers(): Promise<Record<string, string>> {
    return Promise.resolve({ 'X-Internal-API-Key': this.#key });
  }

  forget(): void {
    // There is no other one.
  }
}

interface ServiceTokenDeps {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The audience of the service itself. */
  readonly audience: string;
  /** Separated by spaces. */
  readonly scope: string;
  readonly fetch: Fetch;
  readonly clock: VerifierClock;
}

const TIMEOUT_MS = 3_000;
/** A token is renewed when this share of its life has passed. */
const USED_SHARE = 0.9;

/** A service token for the feed, fetched with id and secret of a service client and renewed before it expires. */
export class ServiceToken implements FeedCredential {
  readonly #deps: ServiceTokenDeps;
  #token: { text: string; renewAt: number } | undefined;

  constructor(deps: ServiceTokenDeps) {
    this.#deps = deps;
  }

  async headers(signal: AbortSignal): Promise<Record<string, string>> {
    if (!this.#token || this.#deps.clock.elapsed() >= this.#token.renewAt) await this.#renew(signal);
    return { 'X-Service-Token': this.#token?.text ?? '' };
  }

  forget(): void {
    this.#token = undefined;
  }

  async #renew(signal: AbortSignal): Promise<void> {
    const { url, clientId, clientSecret, audience, scope, fetch, clock } = this.#deps;
    const askedAt = clock.elapsed();
    const { status, body, retryAfterSeconds } = await requestJson(fetch, {
      url,
      timeoutMs: TIMEOUT_MS,
      signal,
      init: {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({ clientId, clientSecret, audience, scope }),
      },
    });
    const { serviceToken, expiresIn } = dataOf(body) ?? {};
    if (status !== 200 || typeof serviceToken !== 'string' || typeof expiresIn !== 'number') {
      throw new FeedRefusal(status, refusalMessage(url, status, errorOf(body)?.code), retryAfterSeconds);
    }
    this.#token = { text: serviceToken, renewAt: askedAt + expiresIn * 1000 * USED_SHARE };
  }
}
