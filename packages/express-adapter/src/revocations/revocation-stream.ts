import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { RevocationListener, RevocationPage } from '@latchkey/core';
import { textOf } from './entries-text.js';
import { frameOf, heartbeatOf, type EventFrame } from './event-frame.js';
import { EventWriter } from './event-writer.js';
import type { StreamTurns, WaitingStream } from './stream-turns.js';

/** Bytes that may wait for a client. One that reads more slowly is disconnected; it resumes with its cursor. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Maximum duration of sending the first event. */
const MAX_SENDING_MS = 300_000;

/** One stream of events: a first event with everything so far, then pages and heartbeats as they come. */
export class RevocationStream implements RevocationListener, WaitingStream {
  readonly #response: ServerResponse;
  readonly #turns: StreamTurns;
  readonly #closed: Promise<unknown>;
  #writer: EventWriter | undefined;
  /** Events that wait for the first event to be sent, or for the turn of this stream. Other streams share their bytes. */
  #waiting: EventFrame[] = [];
  #isFirstSent = false;
  #hasEnded = false;

  constructor(response: ServerResponse, turns: StreamTurns) {
    this.#response = response;
    this.#turns = turns;
    this.#closed = new Promise((resolve) => response.once('close', resolve));
  }

  onPage(page: RevocationPage): void {
    const frame = frameOf(page);
    if (this.#isFirstSent || byteLength(this.#waiting) + frame.bytes.length <= MAX_WAITING_BYTES)
      this.#add(frame);
    else this.#response.destroy();
  }

  onHeartbeat(cursor: string): void {
    // A first event that is still being sent is a sign of life by itself.
    if (this.#isFirstSent) this.#add(heartbeatOf(cursor));
  }

  onEnd(): void {
    this.#hasEnded = true;
    if (this.#isFirstSent) this.#end();
  }

  /** Writes what waits, in one go. */
  flush(): void {
    const frames = this.#waiting;
    this.#waiting = [];
    if (frames.length === 0 || this.#response.writableEnded || this.#response.destroyed) return;
    this.#writer?.write(frames);
    if (this.#response.writableLength > MAX_WAITING_BYTES) this.#response.destroy();
  }

  /** Sends the first event and everything after it. Resolves when the response is closed. */
  async run(page: RevocationPage, event: 'snapshot' | 'revocations'): Promise<void> {
    const response = this.#response;
    if (response.destroyed) return;
    response.statusCode = 200;
    response.setHeader('Content-Type', 'text/event-stream');
    response.setHeader('X-Accel-Buffering', 'no');
    if (response.req.method === 'HEAD') this.#hasEnded = true;
    else {
      this.#writer = new EventWriter(response);
      await this.#sendFirst(page, event).catch(() => response.destroy());
    }
    this.#isFirstSent = true;
    this.flush();
    if (this.#hasEnded) this.#end();
    await this.#closed;
  }

  /** The event is complete with its last byte: a client that loses the connection before takes none of it. */
  async #sendFirst({ cursor, entries }: RevocationPage, event: string): Promise<void> {
    const signal = AbortSignal.timeout(MAX_SENDING_MS);
    const start = `event: ${event}\nid: ${cursor}\ndata: {"entries":[`;
    for (const part of [start, ...(await textOf(entries)), ']}\n\n']) {
      if (this.#response.destroyed) return;
      const wasAccepted = this.#response.write(part);
      if (!wasAccepted) await Promise.race([once(this.#response, 'drain', { signal }), this.#closed]);
    }
  }

  #add(frame: EventFrame): void {
    this.#waiting.push(frame);
    if (this.#isFirstSent) this.#turns.add(this);
  }

  #end(): void {
    this.flush();
    this.#response.end();
  }
}

const byteLength = (frames: readonly EventFrame[]): number =>
  frames.reduce((sum, { bytes }) => sum + bytes.length, 0);
