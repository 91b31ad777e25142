import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** A file with users. */
export class ImportSource {
  readonly #path: string;
  /** Bytes; undefined for a pipe. */
  readonly size: number | undefined;
  #bytesRead = 0;

  private constructor(path: string, size: number | undefined) {
    this.#path = path;
    this.size = size;
  }

  /** @throws Error of the operating system when there is no such file. */
  static async open(path: string): Promise<ImportSource> {
    const found = await stat(path);
    return new ImportSource(path, found.isFile() ? found.size : undefined);
  }

  /** Bytes of the last `read` so far. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /**
   * Returns what identifies an import of this file: the same for the same content and options, so that an interrupted
   * one is found again. A pipe can be read once only, so its import is always a new one.
   */
  async digest(options: object): Promise<Buffer> {
    const hash = createHash('sha256').update(JSON.stringify(options)).update('\n');
    if (this.size === undefined) return hash.update(randomBytes(32)).digest();
    await pipeline(createReadStream(this.#path), hash, { end: false });
    return hash.digest();
  }

  async *read(): AsyncGenerator<Buffer> {
    this.#bytesRead = 0;
    for await (const chunk of createReadStream(this.#path, { highWaterMark: 256 * 1024 })) {
      this.#bytesRead += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
  }
}
