import type { VerifierClock } from './clock.js';
import type { Fetch } from './http/request-json.js';
import type { VerifierLogger } from './logger.js';
import type { VerifierStatus } from './verifier-status.js';

/**
 * The credential by which a verifier reads the revocation feed: a service client with the scope `revocations:read`, or
 * the internal key.
 */
export type VerifierCredential = { clientId: string; clientSecret: string } | { internalApiKey: string };

/**
 * The decision about a valid token while the revocation feed is stale. `refuse` responds with 503.
 * `{ acceptSeconds }` accepts it for so long after the feed went stale, then responds with 503. `ask` asks the service
 * about it, once a second and token.
 */
export type WhenStale = 'refuse' | 'ask' | { acceptSeconds: number };

/** Options of `createVerifier`. */
export interface VerifierOptions {
  /** The `iss` of accepted tokens: `JWT_ISSUER` of the service, or its `AUTH_BASE_URL`. */
  issuer: string;
  /** The `aud` of accepted tokens: `JWT_AUDIENCE` of the service. */
  audience: string;
  credential: VerifierCredential;
  /** Base URL of the service. Defaults to the issuer. */
  url?: string;
  /** Defaults to `{ acceptSeconds: 30 }`. */
  whenStale?: WhenStale;
  /** True returns before keys and revocations are known; requests are answered as by `whenStale` until then. Defaults to false. */
  startStale?: boolean;
  /** Time for the start, seconds. Defaults to 10. */
  startTimeoutSeconds?: number;
  /**
   * The longest life of an accepted token: at least `ACCESS_TOKEN_TTL` of the service. Entries of the feed are kept
   * for this long; tokens that live longer are rejected. Defaults to 86,400, the maximum of the service.
   */
  maxTokenSeconds?: number;
  /**
   * True also accepts API keys and the tokens that they are exchanged for. Keys are verified at the service, with a service client of the
   * scopes `revocations:read` and `api-keys:verify`. Defaults to false.
   */
  apiKeys?: boolean;
  /** Number of tokens whose signature is remembered. Defaults to 10,000. */
  rememberTokens?: number;
  /** Defaults to no log; only options that do not fit the service are then reported, once each by `console.warn`. */
  logger?: VerifierLogger;
  /** Called when the feed becomes live or stale. */
  onStateChange?: (status: VerifierStatus) => void;
  /** Defaults to the `fetch` of the platform. */
  fetch?: Fetch;
  /** Defaults to the clocks of the machine. */
  clock?: VerifierClock;
}
