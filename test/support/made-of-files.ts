import fs from 'node:fs';
import path from 'node:path';

/** Clocks of file systems are a few milliseconds behind. */
const CLOCK_STEP_MS = 20;

/** The record of an earlier run. */
interface Remembered {
  files: readonly string[];
  madeAt: number;
}

interface Memory {
  /** The file that keeps it for later runs. */
  record: string;
  /** A file of what was made: without it, everything is made again. */
  product: string;
}

/** Something that is made of files, and made again only when one of them has changed. */
export class MadeOfFiles {
  readonly #make: () => Promise<readonly string[]>;
  readonly #memory: Memory | undefined;
  #files: readonly string[] = [];
  #madeAt = 0;

  /** Takes what makes it and returns the files that it was made of. With a memory, later runs do not make it again. */
  constructor(make: () => Promise<readonly string[]>, memory?: Memory) {
    this.#make = make;
    this.#memory = memory;
    if (memory && fs.existsSync(memory.product)) {
      const { files, madeAt } = remembered(memory.record);
      this.#files = files;
      this.#madeAt = madeAt;
    }
  }

  /** Makes it, unless no file has changed since it was last made. What fails is made again the next time. */
  async renew(): Promise<void> {
    if (this.#madeAt > 0 && !this.#files.some((file) => this.#hasChanged(file))) return;
    const startedAt = Date.now() - CLOCK_STEP_MS;
    this.#madeAt = 0;
    this.#files = await this.#make();
    this.#madeAt = startedAt;
    if (this.#memory) remember(this.#memory.record, { files: this.#files, madeAt: startedAt });
  }

  /** A file that is gone has changed, too. */
  #hasChanged(file: string): boolean {
    const stats = fs.statSync(file, { throwIfNoEntry: false });
    return stats === undefined || stats.mtimeMs >= this.#madeAt;
  }
}

function remembered(record: string): Remembered {
  try {
    return JSON.parse(fs.readFileSync(record, 'utf8')) as Remembered;
  } catch {
    return { files: [], madeAt: 0 };
  }
}

function remember(record: string, made: Remembered): void {
  fs.mkdirSync(path.dirname(record), { recursive: true });
  fs.writeFileSync(record, JSON.stringify(made));
}
