import type { VerifierClock } from './clock.js';
import { invalidKey, sessionRevoked, tokenOutdated, unavailable } from './errors.js';
import type { FeedReader } from './feed/feed-reader.js';
import { STALE_AFTER_MS, type Freshness } from './feed/freshness.js';
import type { Revocations } from './feed/revocations.js';
import type { KeySet } from './keys/key-set.js';
import type { ServiceInquiry } from './service-inquiry.js';
import type { StateWatch } from './state-watch.js';
import type { AccessTokens, KnownToken } from './tokens/access-tokens.js';
import type { ApiKeys } from './tokens/api-keys.js';
import { bearerToken } from './tokens/bearer-token.js';
import type { VerifiedCaller } from './tokens/verified-caller.js';
import type { WhenStale } from './verifier-options.js';
import type { VerifierStatus } from './verifier-status.js';

/** Returns whether a credential is named as an API key. */
const isNamedApiKey = (token: string): boolean => token.startsWith('lkk_');

interface VerifierDeps {
  readonly keys: KeySet;
  readonly tokens: AccessTokens;
  readonly revocations: Revocations;
  readonly freshness: Freshness;
  readonly reader: FeedReader;
  readonly inquiry: ServiceInquiry;
  readonly watch: StateWatch;
  readonly whenStale: WhenStale;
  /** Undefined unless API keys are accepted. */
  readonly apiKeys: ApiKeys | undefined;
  readonly clock: VerifierClock;
}

/**
 * Verifies access tokens of a service without a call per request, and refuses those of ended sessions. Created by
 * `createVerifier`.
 * @example
 * ```ts
 * async function whoIs(request: Request, verifier: Verifier): Promise<Response> {
 *   try {
 *     const { userId } = await verifier.authenticate(request);
 *     return Response.json({ userId });
 *   } catch (error) {
 *     if (VerificationError.is(error)) return error.toResponse(request);
 *     throw error;
 *   }
 * }
 * ```
 */
export class Verifier {
  readonly #deps: VerifierDeps;

  constructor(deps: VerifierDeps) {
    this.#deps = deps;
  }

  /** The clock that ages of sign-ins are measured by. */
  get clock(): VerifierClock {
    return this.#deps.clock;
  }

  /** The current state, for health checks and metrics. */
  get status(): VerifierStatus {
    const { keys, tokens, revocations, freshness, reader, watch } = this.#deps;
    const { lastError, transport } = reader;
    return {
      ...watch.observe(),
      heardAt: freshness.heardAt === undefined ? undefined : new Date(freshness.heardAt),
      entries: revocations.size,
      tokens: tokens.size,
      keys: keys.size,
      transport,
      error: lastError instanceof Error ? lastError.message : undefined,
    };
  }

  /**
   * Returns the caller of a request, by the Bearer token of its `Authorization` header.
   * @throws VerificationError `unauthorized`, `session_revoked`, `service_unavailable`; with `whenStale: 'ask'` also
   * the codes of a user who may not sign in.
   */
  async authenticate(request: {
    readonly headers: { get(name: string): string | null };
  }): Promise<VerifiedCaller> {
    assertIsFetchRequest(request);
    return this.authenticateToken(bearerToken(request.headers.get('authorization')));
  }

  /**
   * Returns the caller of a token if that is known at once: its signature is remembered and the feed is live. Undefined
   * otherwise; `authenticateToken` then finds out. Throws like `authenticate`.
   */
  recallToken(token: string): VerifiedCaller | undefined {
    const known = this.#deps.tokens.recall(token);
    if (!known) return undefined;
    this.#assertNotRevoked(known);
    return this.#isLive() ? known.caller : undefined;
  }

  /** Returns the caller of a token. Throws like `authenticate`. */
  async authenticateToken(token: string): Promise<VerifiedCaller> {
    const { apiKeys } = this.#deps;
    if (apiKeys && isNamedApiKey(token)) return apiKeys.verify(token);
    const known = await this.#deps.tokens.verify(token);
    this.#assertNotRevoked(known);
    if (this.#isLive()) return known.caller;
    await this.#applyPolicy(token, known);
    // An entry may have arrived meanwhile.
    this.#assertNotRevoked(known);
    return known.caller;
  }

  /** Ends the connection to the service and all timers. Nothing is accepted any more once the feed is stale. */
  close(): void {
    this.#deps.watch.close();
    this.#deps.reader.close();
    this.#deps.keys.close();
  }

  #isLive(): boolean {
    return this.#deps.watch.observe().state === 'live';
  }

  #assertNotRevoked({ caller }: KnownToken): void {
    const { revocations } = this.#deps;
    if (caller.kind === 'api-key') {
      const isEnded =
        revocations.isSessionRevoked(caller.sessionId) ||
        revocations.isKeyTokenOutdated(caller.sessionId, caller.issuedAt);
      if (isEnded) throw invalidKey();
      return;
    }
    if (revocations.isSessionRevoked(caller.sessionId)) throw sessionRevoked();
    if (caller.tokenVersion < revocations.minTokenVersion(caller.userId)) throw tokenOutdated();
  }

  async #applyPolicy(token: string, known: KnownToken): Promise<void> {
    const { whenStale, inquiry, freshness } = this.#deps;
    // The service does not take tokens of API keys itself.
    if (whenStale === 'ask' && known.caller.kind === 'session') return inquiry.assertAccepted(token, known);
    const acceptMs =
      typeof whenStale === 'string' ? -Infinity : STALE_AFTER_MS + whenStale.acceptSeconds * 1000;
    if (freshness.silenceMs() > acceptMs) throw unavailable(new Error('the revocation feed is stale'));
  }
}

/** @throws TypeError for a request of Node.js, whose headers are a plain object. */
function assertIsFetchRequest(request: { headers?: { get?: unknown } } | undefined): void {
  if (typeof request?.headers?.get === 'function') return;
  throw new TypeError(
    'verifier.authenticate takes a Request of the Fetch API. For a request of Node.js use requireAuth of ' +
      '@latchkey/verifier/express, or call verifier.authenticateToken with its Bearer token.',
  );
}
