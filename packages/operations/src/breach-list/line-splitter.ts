/** Called for each line, with the bytes from `start` to `end`, without the line break. */
export type OnLine = (bytes: Buffer, start: number, end: number) => void;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** Longer than any hash or password. */
const LONGEST_LINE = 4096;

/** Splits chunks of bytes into lines that end with a line feed, with or without a carriage return before it. */
export class LineSplitter {
  readonly #onLine: OnLine;
  readonly #longestLine: number;
  /** The start of a line whose end has not arrived. */
  #rest: Buffer = Buffer.alloc(0);

  /**
   * @param longestLine in bytes. The rest of a longer line is not kept, so that memory is bounded; the line is longer
   * than this all the same, so that its reader can reject it. Defaults to 4,096.
   */
  constructor(onLine: OnLine, longestLine = LONGEST_LINE) {
    this.#onLine = onLine;
    this.#longestLine = longestLine;
  }

  push(chunk: Buffer): void {
    let start = 0;
    let end = chunk.indexOf(LINE_FEED);
    if (end >= 0 && this.#rest.length > 0) {
      this.#emit(Buffer.concat([this.#rest, chunk.subarray(0, end)]));
      this.#rest = Buffer.alloc(0);
      start = end + 1;
      end = chunk.indexOf(LINE_FEED, start);
    }
    while (end >= 0) {
      this.#emit(chunk, start, end);
      start = end + 1;
      end = chunk.indexOf(LINE_FEED, start);
    }
    this.#keep(chunk.subarray(start));
  }

  /** Ends the last line, which need not have a line break. */
  end(): void {
    if (this.#rest.length > 0) this.#emit(this.#rest);
    this.#rest = Buffer.alloc(0);
  }

  #keep(bytes: Buffer): void {
    const capacity = this.#longestLine + 2 - this.#rest.length;
    if (bytes.length > 0 && capacity > 0)
      this.#rest = Buffer.concat([this.#rest, bytes.subarray(0, capacity)]);
  }

  #emit(bytes: Buffer, start = 0, end = bytes.length): void {
    this.#onLine(bytes, start, end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end);
  }
}
