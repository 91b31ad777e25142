import type { Dispatcher } from 'undici';

interface ReplyEvents {
  /** Returns whether the status counts as success. */
  accepts: (status: number) => boolean;
  /** Called with the body if `keepsBody`, otherwise with an empty text. */
  done: (text: string, status: number) => void;
  failed: (error: Error) => void;
  keepsBody: boolean;
}

/** Handles the responses of a connection one after the other; one object serves all of them. */
export class ReplyHandler implements Dispatcher.DispatchHandler {
  readonly #events: ReplyEvents;
  #status = 0;
  #chunks: Buffer[] = [];

  constructor(events: ReplyEvents) {
    this.#events = events;
  }

  onRequestStart(): void {
    this.#chunks = [];
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#events.keepsBody || !this.#events.accepts(this.#status)) this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const text = this.#chunks.length === 0 ? '' : Buffer.concat(this.#chunks).toString();
    if (this.#events.accepts(this.#status)) this.#events.done(text, this.#status);
    else this.#events.failed(new Error(`status ${this.#status}: ${text.slice(0, 300)}`));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#events.failed(error);
  }
}

/** Counts responses by status. */
export class StatusCounts {
  readonly counts: Record<number, number> = {};

  add(status: number): void {
    this.counts[status] = (this.counts[status] ?? 0) + 1;
  }
}

/** Returns the test of a load's statuses. */
export const acceptedStatuses = (expect: readonly number[] | undefined): ((status: number) => boolean) =>
  expect ? (status) => expect.includes(status) : (status) => status >= 200 && status < 300;
