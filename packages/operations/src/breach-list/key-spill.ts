import { open, rm, type FileHandle } from 'node:fs/promises';
import type { FilterKey } from '@latchkey/core/internal/passwords/breach-list/filter-block';
import { PARTS } from '@latchkey/core/internal/passwords/breach-list/filter-size';

const KEY_BYTES = 8;
/** Small enough that a list of a million entries is not built in memory alone. */
const CHUNK_BYTES = 16 * 1024;
/** The high bits of a key that name its part. */
const PART_SHIFT = 32 - Math.log2(PARTS);

/**
 * Keys in a temporary file, divided by their first bits: each part fills a contiguous piece of the filter, so that
 * one piece at a time is in memory, whatever the order of the keys.
 */
export class KeySpill {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #open: { chunk: Buffer; used: number }[];
  /** Full chunks that are not written yet. */
  readonly #full: { part: number; chunk: Buffer }[] = [];
  readonly #free: Buffer[] = [];
  /** Positions of the written chunks of each part. */
  readonly #written: number[][];
  #end = 0;
  #count = 0;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
    this.#open = Array.from({ length: PARTS }, () => ({ chunk: Buffer.allocUnsafe(CHUNK_BYTES), used: 0 }));
    this.#written = Array.from({ length: PARTS }, () => []);
  }

  /** Creates the file. It loses its name at once where the system allows that, so that nothing of it can be left. */
  static async create(path: string): Promise<KeySpill> {
    const file = await open(path, 'wx+', 0o600);
    await rm(path).catch(() => undefined);
    return new KeySpill(path, file);
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a key. Call `flush` now and then: it writes what has gathered. */
  readonly add = ({ high, low }: FilterKey): void => {
    const part = high >>> PART_SHIFT;
    const open = this.#open[part];
    if (open === undefined) throw new RangeError('a key has 64 bits');
    open.chunk.writeUInt32LE(high, open.used);
    open.chunk.writeUInt32LE(low, open.used + 4);
    open.used += KEY_BYTES;
    this.#count++;
    if (open.used < CHUNK_BYTES) return;
    this.#full.push({ part, chunk: open.chunk });
    open.chunk = this.#free.pop() ?? Buffer.allocUnsafe(CHUNK_BYTES);
    open.used = 0;
  };

  async flush(): Promise<void> {
    for (const { part, chunk } of this.#full.splice(0)) {
      await this.#file.write(chunk, 0, CHUNK_BYTES, this.#end);
      this.#written[part]?.push(this.#end);
      this.#end += CHUNK_BYTES;
      this.#free.push(chunk);
    }
  }

  /** Passes on every key of a part, in chunks. Call `flush` before. */
  async *chunksOf(part: number): AsyncGenerator<KeyChunk> {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (const position of this.#written[part] ?? []) {
      await this.#file.read(chunk, 0, CHUNK_BYTES, position);
      yield new KeyChunk(chunk);
    }
    const rest = this.#open[part];
    if (rest !== undefined && rest.used > 0) yield new KeyChunk(rest.chunk.subarray(0, rest.used));
  }

  async close(): Promise<void> {
    await this.#file.close();
    await rm(this.#path, { force: true });
  }
}

/** Some keys of a part. */
class KeyChunk {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  forEach(use: (high: number, low: number) => void): void {
    for (let at = 0; at < this.#bytes.length; at += KEY_BYTES) {
      use(this.#bytes.readUInt32LE(at), this.#bytes.readUInt32LE(at + 4));
    }
  }
}
