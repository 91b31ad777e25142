/** An entry of the feed as the service sends it. */
export type SentEntry = { at: string } & (
  | { type: 'session-revoked'; sid: string }
  | { type: 'token-claims-change'; sub: string; minTokenVersion: number }
  | { type: string; [key: string]: unknown }
);

/** Entries in the order in which they were added; a cursor is the number of entries before it. */
export class FeedEntries {
  readonly #entries: SentEntry[] = [];
  readonly #waiting = new Set<() => void>();
  /** Cursors below this are too old. */
  oldest = 0;

  get cursor(): string {
    return `c${this.#entries.length}`;
  }

  add(entry: Record<string, unknown> & { type: string }): void {
    this.#entries.push({ ...entry, at: new Date().toISOString() });
    for (const wake of [...this.#waiting]) wake();
  }

  /** Returns undefined for a cursor that is gone. */
  after(cursor: string | undefined): SentEntry[] | undefined {
    if (cursor === undefined) return [...this.#entries];
    const position = /^c\d+$/.test(cursor) ? Number(cursor.slice(1)) : -1;
    if (position < this.oldest || position > this.#entries.length) return undefined;
    return this.#entries.slice(position);
  }

  /** Calls back after each entry, until the returned function is called. */
  onAdded(wake: () => void): () => void {
    this.#waiting.add(wake);
    return () => void this.#waiting.delete(wake);
  }

  /** Ends polls that wait. */
  wakeAll(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
