import { request, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { INTERNAL_KEY } from './service.js';
import { waitUntil } from './wait-until.js';

export interface FeedEvent {
  event: string;
  id: string;
  data: { entries?: FeedEntry[] };
  /** The time of its arrival, in milliseconds of the monotonic clock. */
  at: number;
}

export interface FeedEntry {
  type: string;
  sid?: string;
  sub?: string;
  minTokenVersion?: number;
  at: string;
}

/** A client of the event stream of revocations, which reads it as a browser would. */
export class FeedStream {
  readonly events: FeedEvent[] = [];
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Body of a response that is no stream. */
  text = '';
  hasEnded = false;
  readonly #outgoing: ClientRequest;
  #rest = '';

  private constructor(outgoing: ClientRequest, incoming: IncomingMessage) {
    this.#outgoing = outgoing;
    this.status = incoming.statusCode ?? 0;
    this.headers = incoming.headers;
    incoming.setEncoding('utf8');
    incoming.on('data', (text: string) => this.#read(text));
    incoming.on('error', () => undefined);
    incoming.on('close', () => (this.hasEnded = true));
  }

  /** Opens a stream with the internal key, or with the given headers instead. */
  static open(
    url: string,
    { query = '', headers = { 'x-internal-api-key': INTERNAL_KEY } }: FeedStreamOptions = {},
  ): Promise<FeedStream> {
    return new Promise((resolve, reject) => {
      const outgoing = request(`${url}/internal/revocations${query}`, {
        agent: false,
        headers: { accept: 'text/event-stream', ...headers },
      });
      outgoing.on('response', (incoming) => resolve(new FeedStream(outgoing, incoming)));
      outgoing.on('error', reject);
      outgoing.end();
    });
  }

  /** Waits for an event that has an entry of this session or user. */
  entryOf(id: string): Promise<FeedEvent> {
    const find = () => this.events.find(({ data }) => data.entries?.some((entry) => idOf(entry) === id));
    return waitUntil(find, { what: `an entry of ${id}` });
  }

  /** The id of the last event. */
  get cursor(): string {
    return this.events.at(-1)?.id ?? '';
  }

  close(): void {
    this.#outgoing.destroy();
  }

  #read(text: string): void {
    this.text += text;
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => splitOnce(line)));
      const data = JSON.parse(fields.get('data') ?? '{}') as FeedEvent['data'];
      const event = fields.get('event') ?? 'message';
      this.events.push({ event, id: fields.get('id') ?? '', data, at: performance.now() });
    }
  }
}

interface FeedStreamOptions {
  query?: string;
  headers?: OutgoingHttpHeaders;
}

export const idOf = ({ sid, sub }: FeedEntry): string | undefined => sid ?? sub;

function splitOnce(line: string): [string, string] {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon), line.slice(colon + 2)];
}
