import { InternalKey, ServiceToken, type FeedCredential } from './feed/feed-credential.js';
import { FeedReader } from './feed/feed-reader.js';
import { FeedRefusal } from './feed/feed-refusal.js';
import { Freshness } from './feed/freshness.js';
import { Revocations } from './feed/revocations.js';
import { KeySet } from './keys/key-set.js';
import { readOptions, type ReadOptions } from './read-options.js';
import { ServiceInquiry } from './service-inquiry.js';
import { StateWatch } from './state-watch.js';
import { AccessTokens } from './tokens/access-tokens.js';
import { ApiKeys } from './tokens/api-keys.js';
import { CLOCK_LEEWAY } from './tokens/verify-token.js';
import type { VerifierOptions } from './verifier-options.js';
import { Verifier } from './verifier.js';

const CHECK_MS = 20;
const KEYS_RETRY_MS = 500;

/**
 * Waits until the key set and the first snapshot are known.
 * @throws Error at once when the service rejects the credential, else when the time is over.
 */
async function waitForStart(
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

const SCOPE = 'revocations:read';
const SCOPES_WITH_KEYS = `${SCOPE} api-keys:verify`;

/** Entries are kept this much longer than any token lives, for requests that were under way while a session ended. */
const SPARE_SECONDS = 60;

/**
 * Creates a verifier, which connects to the service and keeps reading its revocations. Waits for the key set and the
 * first snapshot, unless `startStale` is true. Close it with `close`.
 * @throws TypeError for invalid options, Error when the service rejects the credential or is unavailable for
 * `startTimeoutSeconds`.
 * @example
 * ```ts
 * const options = { audience: 'latchkey', credential: { internalApiKey: 'a key' }, startTimeoutSeconds: 1 };
 * const verifier = await createVerifier({ ...options, issuer: 'http://127.0.0.1:1', startStale: true });
 * verifier.status.state; // → 'stale'
 * verifier.close();
 * await createVerifier({ ...options, issuer: 'http://127.0.0.1:1' }); // →! /startStale/
 * await createVerifier({ ...options, issuer: 'auth.example.com' }); // →! TypeError
 * ```
 */
export async function createVerifier(options: VerifierOptions): Promise<Verifier> {
  const read = readOptions(options);
  const parts = connect(read);
  if (read.startStale) {
    // A key that is missing later is fetched then.
    parts.keys.load().catch(() => undefined);
    return parts.verifier;
  }
  try {
    await waitForStart(parts, read.startTimeoutMs);
    return parts.verifier;
  } catch (error) {
    parts.verifier.close();
    throw error;
  }
}

/** Builds the parts and starts to read the feed. */
function connect(options: ReadOptions) {
  const { baseUrl, fetch, clock, logger, whenStale } = options;
  const keys = new KeySet({ url: `${baseUrl}/.well-known/jwks.json`, fetch, clock, logger });
  const keepSeconds = options.maxTokenSeconds + 2 * CLOCK_LEEWAY + SPARE_SECONDS;
  const revocations = new Revocations({ clock, keepSeconds });
  const freshness = new Freshness(clock);
  const credential = credentialOf(options);
  const reader = new FeedReader({
    url: `${baseUrl}/internal/revocations`,
    credential,
    onHeard: () => void watch.observe(),
    ...{ fetch, clock, logger, revocations, freshness },
  });
  const onChange = reporterOf(options, () => verifier);
  const watch = new StateWatch({ freshness, revocations, reader, clock, onChange });
  const tokens = new AccessTokens({
    keys,
    expected: options,
    clock,
    logger: options.wiringLogger,
    rememberTokens: options.rememberTokens,
  });
  const apiKeys = options.apiKeys
    ? new ApiKeys({
        ...{ baseUrl, fetch, clock, credential, revocations },
        isLive: () => watch.observe().state === 'live',
      })
    : undefined;
  const inquiry = new ServiceInquiry({ baseUrl, fetch, clock });
  const verifier = new Verifier({
    apiKeys,
    ...{ keys, tokens, revocations, freshness, reader, inquiry, watch, whenStale, clock },
  });
  void reader.run();
  return { verifier, keys, freshness, reader };
}

function credentialOf({ credential, audience, baseUrl, fetch, clock, apiKeys }: ReadOptions): FeedCredential {
  if ('internalApiKey' in credential) return new InternalKey(credential.internalApiKey);
  return new ServiceToken({
    ...credential,
    audience,
    scope: apiKeys ? SCOPES_WITH_KEYS : SCOPE,
    url: `${baseUrl}/auth/service-token`,
    fetch,
    clock,
  });
}

/** Reports changes of the state. A listener that throws disturbs nothing else. */
function reporterOf({ logger, onStateChange }: ReadOptions, verifierOf: () => Verifier) {
  return (state: 'live' | 'stale'): void => {
    if (state === 'live') logger.info({}, 'The revocation feed is live.');
    else
      logger.warn({}, 'The revocation feed is stale: whenStale decides about tokens until it is live again.');
    queueMicrotask(() => {
      try {
        onStateChange(verifierOf().status);
      } catch (err) {
        logger.warn({ err }, 'onStateChange threw an error.');
      }
    });
  };
}
