import type { RevocationListener, RevocationPage } from '@latchkey/core';
import { textOf } from './entries-text.js';
import type { StreamTurns, WaitingStream } from './stream-turns.js';

const frames = new WeakMap<RevocationPage, Buffer>();
let lastHeartbeat: { cursor: string; frame: Buffer } | undefined;

/** Returns the event of a page, made once for all streams. */
function frameOf(page: RevocationPage): Buffer {
  const known = frames.get(page);
  if (known) return known;
  const frame = eventFrame('revocations', page.cursor, `{"entries":${JSON.stringify(page.entries)}}`);
  frames.set(page, frame);
  return frame;
}

/** Returns a heartbeat, made once for all streams that get it at the same time. */
function heartbeatOf(cursor: string): Buffer {
  if (lastHeartbeat?.cursor !== cursor)
    lastHeartbeat = { cursor, frame: eventFrame('heartbeat', cursor, '{}') };
  return lastHeartbeat.frame;
}

const eventFrame = (event: string, cursor: string, data: string): Buffer =>
  Buffer.from(`event: ${event}\nid: ${cursor}\ndata: ${data}\n\n`);

/** Bytes that may wait for a client. One that reads more slowly is disconnected; it resumes with its cursor. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Maximum duration of sending the first event. */
const MAX_SENDING_MS = 300_000;

/** One stream of events: a first event with everything so far, then pages and heartbeats as they come. */
export class RevocationStream implements RevocationListener, WaitingStream {
  readonly #turns: StreamTurns;
  readonly #tooSlow = new AbortController();
  /** Events that wait for the turn of this stream, or for its client. Other streams share their bytes. */
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** Those before it may be sent: their turn has come. */
  #ready = 0;
  #isFirstSent = false;
  #hasEnded = false;
  #wake: (() => void) | undefined;

  /** @param gone is aborted when the client is gone. */
  constructor(gone: AbortSignal, turns: StreamTurns) {
    this.#turns = turns;
    gone.addEventListener('abort', () => this.onEnd(), { once: true });
  }

  /** Aborted when the client reads too slowly. */
  get until(): AbortSignal {
    return this.#tooSlow.signal;
  }

  onPage(page: RevocationPage): void {
    this.#add(frameOf(page));
  }

  onHeartbeat(cursor: string): void {
    // A first event that is still being sent is a sign of life by itself.
    if (this.#isFirstSent) this.#add(heartbeatOf(cursor));
  }

  onEnd(): void {
    this.#hasEnded = true;
    this.flush();
  }

  /** Lets everything that waits be sent. */
  flush(): void {
    this.#ready = this.#waiting.length;
    this.#wake?.();
  }

  /**
   * Yields the first event and everything after it, until the stream ends. An event is complete with its last byte: a client
   * that loses the connection before takes none of it.
   * @param end runs when the stream is no longer consumed.
   */
  async *events(
    { cursor, entries }: RevocationPage,
    { event, end }: { event: 'snapshot' | 'revocations'; end: () => void },
  ): AsyncGenerator<Uint8Array> {
    const late = setTimeout(() => this.#tooSlow.abort(), MAX_SENDING_MS);
    try {
      yield Buffer.from(`event: ${event}\nid: ${cursor}\ndata: {"entries":[`);
      yield* await textOf(entries);
      yield Buffer.from(']}\n\n');
      clearTimeout(late);
      this.#isFirstSent = true;
      this.flush();
      for (;;) {
        if (this.#ready > 0) yield this.#take();
        else if (this.#hasEnded) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      clearTimeout(late);
      end();
    }
  }

  /** Takes everything that may be sent, as one part: each part costs a system call. */
  #take(): Uint8Array {
    const frames = this.#waiting.splice(0, this.#ready);
    this.#ready = 0;
    const part = frames.length === 1 && frames[0] ? frames[0] : Buffer.concat(frames);
    this.#waitingBytes -= part.length;
    return part;
  }

  #add(frame: Buffer): void {
    this.#waiting.push(frame);
    this.#waitingBytes += frame.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES) this.#tooSlow.abort();
    else if (this.#isFirstSent) this.#turns.add(this);
  }
}
