import { requestJson, type Fetch } from '../http/request-json.js';
import { dataOf, errorOf } from '../json.js';
import { readEntries } from './feed-entry.js';
import type { FeedMessage, FeedRequest } from './feed-message.js';
import { FeedRefusal, refusalMessage } from './feed-refusal.js';

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
export async function poll(
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
