import { momentOf, type Moment, type VerifierClock } from '../clock.js';
import { requestJson, type Fetch } from '../http/request-json.js';
import { dataOf, errorOf } from '../json.js';
import type { VerifierLogger } from '../logger.js';
import { delayAfter } from './backoff.js';
import { readStream } from './event-stream.js';
import type { FeedCredential } from './feed-credential.js';
import { readEntries } from './feed-entry.js';
import type { FeedMessage, FeedRequest } from './feed-message.js';
import { FeedRefusal, refusalMessage, StreamBlocked } from './feed-refusal.js';
import type { Freshness } from './freshness.js';
import type { Revocations } from './revocations.js';

/**
 * Seconds for which the service may hold a poll. A response is only known to be newer than its request, so two polls
 * must fit into the time after which the feed is stale.
 */
const WAIT_SECONDS = 3;
const TIMEOUT_MS = 3_000;
/** A snapshot may be large. */
const SNAPSHOT_TIMEOUT_MS = 15_000;

/**
 * Reads the feed once; from a cursor, the service may wait for entries unless `isUrgent`.
 * @throws FeedRefusal, and what `fetch` throws.
 */
async function poll(
  fetch: Fetch,
  url: string,
  { headers, cursor, signal }: FeedRequest,
  isUrgent: boolean,
): Promise<FeedMessage> {
  const waitSeconds = isUrgent ? 0 : WAIT_SECONDS;
  const query =
    cursor === undefined
      ? ''
      : `?${new URLSearchParams({ after: cursor, wait: String(waitSeconds) }).toString()}`;
  const { status, body, retryAfterSeconds } = await requestJson(fetch, {
    url: url + query,
    init: { headers: { ...headers, Accept: 'application/json' } },
    timeoutMs: cursor === undefined ? SNAPSHOT_TIMEOUT_MS : TIMEOUT_MS + waitSeconds * 1000,
    signal,
  });
  const data = dataOf(body);
  if (status !== 200 || typeof data?.cursor !== 'string') {
    throw new FeedRefusal(status, refusalMessage(url, status, errorOf(body)?.code), retryAfterSeconds);
  }
  const kind = cursor === undefined ? 'snapshot' : 'revocations';
  return { kind, entries: readEntries(data), cursor: data.cursor };
}

interface FeedReaderDeps {
  readonly url: string;
  readonly fetch: Fetch;
  readonly credential: FeedCredential;
  readonly revocations: Revocations;
  readonly freshness: Freshness;
  readonly clock: VerifierClock;
  readonly logger: VerifierLogger;
  /** Called after each sign of life. */
  readonly onHeard: () => void;
}

/** Streams are tried again after this time. */
const POLLING_MS = 60_000;
/** A connection that lasted this long was a good one: the next failure is the first. */
const GOOD_CONNECTION_MS = 5_000;
/** Least time from one poll to the next, should responses come at once. A revocation that follows another one waits so long. */
const POLL_INTERVAL_MS = 400;

/** Reads the revocation feed until it is closed: as a stream, or by polls where streams do not come through. */
export class FeedReader {
  readonly #deps: FeedReaderDeps;
  readonly #closing = new AbortController();
  #connection = new AbortController();
  /** True from the first message of a stream. Before that, the attempt has time limits of its own. */
  #isEstablished = false;
  #cursor: string | undefined;
  #failures = 0;
  #pollUntil: number | undefined;
  #isUrgent = true;
  #lastError: unknown;

  constructor(deps: FeedReaderDeps) {
    this.#deps = deps;
  }

  /** The failure of the last attempt; undefined after a success. */
  get lastError(): unknown {
    return this.#lastError;
  }

  get transport(): 'stream' | 'poll' {
    return this.#pollUntil === undefined ? 'stream' : 'poll';
  }

  /** Reads until `close`. Never throws. */
  async run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const startedAt = this.#deps.clock.elapsed();
      const error = await this.#connect().then(
        () => undefined,
        (reason: unknown) => reason ?? new Error('the connection failed'),
      );
      this.#isEstablished = false;
      const lastedMs = this.#deps.clock.elapsed() - startedAt;
      if (lastedMs > GOOD_CONNECTION_MS) this.#failures = 0;
      if (error === undefined && this.transport === 'poll') await this.#spacePolls(lastedMs);
      else await this.#recover(error);
    }
  }

  /** Drops a stream that has become stale: what it still delivers cannot be trusted. */
  dropStale(): void {
    if (this.#isEstablished) this.#connection.abort(new Error('the connection was silent'));
  }

  close(): void {
    const reason = new Error('the verifier was closed');
    this.#closing.abort(reason);
    this.#connection.abort(reason);
  }

  async #connect(): Promise<void> {
    const { credential, clock, fetch, url } = this.#deps;
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    const headers = await credential.headers(signal);
    const start = momentOf(clock);
    const request = { headers, cursor: this.#cursor, signal };
    if (this.#isPolling()) this.#hear(await poll(fetch, url, request, this.#isUrgent), start);
    else await this.#stream(request, start);
  }

  async #stream(request: FeedRequest, start: Moment): Promise<void> {
    const { fetch, url, clock, freshness } = this.#deps;
    await readStream(fetch, url, request, (message) => {
      const isFirst = !this.#isEstablished;
      if (isFirst && request.cursor === undefined && message.kind !== 'snapshot') {
        throw new Error('the event stream did not begin with a snapshot');
      }
      if (!isFirst && !freshness.isLive()) throw new Error('the connection was silent for too long');
      this.#isEstablished = true;
      this.#hear(message, isFirst ? start : momentOf(clock));
    });
  }

  /** After a blocked stream, polls are tried for a while. */
  #isPolling(): boolean {
    if (this.#pollUntil !== undefined && this.#deps.clock.elapsed() >= this.#pollUntil) {
      this.#pollUntil = undefined;
    }
    return this.#pollUntil !== undefined;
  }

  #hear({ entries, cursor }: FeedMessage, since: Moment): void {
    const { revocations, freshness, onHeard } = this.#deps;
    for (const entry of entries) revocations.add(entry);
    this.#cursor = cursor ?? this.#cursor;
    this.#lastError = undefined;
    freshness.hear(since);
    onHeard();
  }

  /** The first poll after a failure does not wait. Responses that come at once are not asked for again at once. */
  async #spacePolls(lastedMs: number): Promise<void> {
    const isFirst = this.#isUrgent;
    this.#isUrgent = false;
    this.#failures = 0;
    if (!isFirst) await pause(Math.max(0, POLL_INTERVAL_MS - lastedMs), this.#closing.signal);
  }

  async #recover(error: unknown): Promise<void> {
    this.#lastError = error;
    this.#isUrgent = true;
    const refusal = error instanceof FeedRefusal ? error : undefined;
    if (refusal?.status === 401) this.#deps.credential.forget();
    if (refusal?.status === 410 && this.#cursor !== undefined) {
      this.#cursor = undefined;
      return;
    }
    if (error instanceof StreamBlocked) {
      this.#pollUntil = this.#deps.clock.elapsed() + POLLING_MS;
      return;
    }
    const delayMs = delayAfter(this.#failures, error, Math.random);
    this.#failures += 1;
    this.#log(error, delayMs);
    await pause(delayMs, this.#closing.signal);
  }

  /** Logs what does not go away by itself: the second failure in a row, and a refusal. */
  #log(err: unknown, delayMs: number): void {
    if (err === undefined) return;
    const isPermanent = err instanceof FeedRefusal && err.isPermanent;
    if (this.#failures !== 2 && !isPermanent) return;
    this.#deps.logger.warn({ err, delayMs }, 'The revocation feed cannot be read. It is retried.');
  }
}

/** Waits. Ends early, without an error, when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
