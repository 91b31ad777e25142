import { open, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { CommandError, EXIT } from './failure.js';

const OWNER_READS_AND_WRITES = 0o600;

/**
 * A file that is written line by line and appears under its name when it is complete. Only its owner can read it. A link is
 * followed, and stays.
 */
export class LineFile {
  readonly path: string;
  #file: FileHandle | undefined;
  /** The file that the path names, once something was added. */
  #target: string | undefined;
  #lines = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Lines that were written so far. */
  get lines(): number {
    return this.#lines;
  }

  /** @throws CommandError when the path names something else than a file. */
  async add(lines: readonly string[]): Promise<void> {
    this.#target ??= await targetOf(this.path);
    this.#file ??= await open(unfinished(this.#target), 'w', OWNER_READS_AND_WRITES);
    await this.#file.write(lines.map((line) => `${line}\n`).join(''));
    this.#lines += lines.length;
  }

  /** Gives the file its name. If nothing was added there is none, and an older one stays. */
  async finish(): Promise<void> {
    if (this.#target === undefined) return;
    await this.#file?.sync();
    await this.#close();
    await rename(unfinished(this.#target), this.#target);
    this.#target = undefined;
  }

  /** Removes what was written. Does nothing after `finish` has succeeded. */
  async discard(): Promise<void> {
    if (this.#target === undefined) return;
    await this.#close();
    await rm(unfinished(this.#target), { force: true });
  }

  async #close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }
}

const unfinished = (target: string): string => `${target}.unfinished`;

/** Returns the path behind links, of a file or of none yet. A device that was renamed over would be gone. */
async function targetOf(path: string): Promise<string> {
  try {
    const target = await realpath(path);
    if ((await stat(target)).isFile()) return target;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return path;
    throw error;
  }
  throw new CommandError(
    EXIT.failed,
    `${path} is not a file.`,
    'Name a file, or one that does not exist yet. Without the option, the lines go to standard output.',
  );
}
