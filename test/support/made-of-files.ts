import fs from 'node:fs';

/** Clocks of file systems are a few milliseconds behind. */
const CLOCK_STEP_MS = 20;

/** Something that is made of files, and made again only when one of them has changed. */
export class MadeOfFiles {
  readonly #make: () => Promise<readonly string[]>;
  #files: readonly string[] = [];
  #madeAt = 0;

  /** Takes what makes it and returns the files that it was made of. */
  constructor(make: () => Promise<readonly string[]>) {
    this.#make = make;
  }

  /** Makes it, unless no file has changed since it was last made. What fails is made again the next time. */
  async renew(): Promise<void> {
    if (this.#madeAt > 0 && !this.#files.some((file) => this.#hasChanged(file))) return;
    const startedAt = Date.now() - CLOCK_STEP_MS;
    this.#madeAt = 0;
    this.#files = await this.#make();
    this.#madeAt = startedAt;
  }

  /** A file that is gone has changed, too. */
  #hasChanged(file: string): boolean {
    const stats = fs.statSync(file, { throwIfNoEntry: false });
    return stats === undefined || stats.mtimeMs >= this.#madeAt;
  }
}
