import { open, rename, rm, type FileHandle } from 'node:fs/promises';

const OWNER_READS_AND_WRITES = 0o600;

/**
 * A file that is written line by line and appears under its name when it is complete. Only its owner can read it.
 */
export class LineFile {
  readonly path: string;
  #file: FileHandle | undefined;
  #lines = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Lines that were written so far. */
  get lines(): number {
    return this.#lines;
  }

  async add(lines: readonly string[]): Promise<void> {
    this.#file ??= await open(this.#unfinished, 'w', OWNER_READS_AND_WRITES);
    await this.#file.write(lines.map((line) => `${line}\n`).join(''));
    this.#lines += lines.length;
  }

  /** Gives the file its name. Without a line there is none, and an older one stays. */
  async finish(): Promise<void> {
    if (!this.#file) return;
    await this.#file.sync();
    await this.#close();
    await rename(this.#unfinished, this.path);
  }

  /** Removes what was written. Does nothing after `finish`. */
  async discard(): Promise<void> {
    if (!this.#file) return;
    await this.#close();
    await rm(this.#unfinished, { force: true });
  }

  async #close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  get #unfinished(): string {
    return `${this.path}.unfinished`;
  }
}
