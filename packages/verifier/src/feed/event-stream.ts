import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { retryAfterOf, type Fetch } from '../http/request-json.js';
import { RequestLimit } from '../http/request-limit.js';
import { errorOf } from '../json.js';
import { readEntries } from './feed-entry.js';
import type { FeedMessage, FeedRequest } from './feed-message.js';
import { FeedRefusal, refusalMessage, StreamBlocked } from './feed-refusal.js';

/** Time for the response, and between the parts of its first message, which may be large. */
const FIRST_BYTES_MS = 3_000;
/** Characters of one message; a snapshot of 100,000 entries has about ten million. */
const MAX_MESSAGE = 256 * 1024 * 1024;

const KINDS: readonly string[] = ['snapshot', 'revocations', 'heartbeat'] satisfies FeedMessage['kind'][];

/**
 * Reads the feed as an event stream until the service ends it.
 * @throws FeedRefusal; StreamBlocked if no message arrives in time; what `fetch` and the listener throw.
 */
export async function readStream(
  fetch: Fetch,
  url: string,
  request: FeedRequest,
  onMessage: (message: FeedMessage) => void,
): Promise<void> {
  const limit = new RequestLimit(FIRST_BYTES_MS, request.signal);
  try {
    const init = { headers: headersOf(request), redirect: 'manual', signal: limit.signal } as const;
    const response = await fetch(url, init);
    await assertStream(response, url);
    await readEvents(response, limit, onMessage);
  } catch (error) {
    if (!limit.isOver) throw error;
    throw new StreamBlocked('the event stream did not begin in time', { cause: error });
  } finally {
    limit.end();
  }
}

const headersOf = ({ headers, cursor }: FeedRequest): Record<string, string> => ({
  ...headers,
  Accept: 'text/event-stream',
  ...(cursor !== undefined && { 'Last-Event-ID': cursor }),
});

async function assertStream(response: Response, url: string): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (response.status === 200 && type.startsWith('text/event-stream')) return;
  const text = await response.text();
  if (response.status === 200) throw new StreamBlocked(`${url} responded with ${type || 'no type'}`);
  throw new FeedRefusal(
    response.status,
    refusalMessage(url, response.status, errorOf(jsonOf(text))?.code),
    retryAfterOf(response),
  );
}

/** The part of a stream's reader that is used; the types of platforms differ in the rest. */
interface BodyReader {
  read(): Promise<{ done: boolean; value?: Uint8Array }>;
}

async function readEvents(
  response: Response,
  limit: RequestLimit,
  onMessage: (message: FeedMessage) => void,
): Promise<void> {
  const progress = { hasBegun: false };
  const parser = createParser({
    maxBufferSize: MAX_MESSAGE,
    onEvent: (event) => {
      const message = messageOf(event);
      if (!message) return;
      progress.hasBegun = true;
      onMessage(message);
    },
  });
  const decoder = new TextDecoder();
  const reader = response.body?.getReader() as BodyReader | undefined;
  if (!reader) throw new StreamBlocked('the event stream has no body');
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
    // From then on, the reader of the messages notices silence.
    if (progress.hasBegun) limit.lift();
    else limit.restart();
  }
}

function messageOf({ event = '', id, data }: EventSourceMessage): FeedMessage | undefined {
  if (!KINDS.includes(event)) return undefined;
  const kind = event as FeedMessage['kind'];
  const cursor = id === undefined || id === '' ? undefined : id;
  return { kind, cursor, entries: kind === 'heartbeat' ? [] : readEntries(JSON.parse(data)) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
