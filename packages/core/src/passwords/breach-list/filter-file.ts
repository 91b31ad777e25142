import { open, type FileHandle } from 'node:fs/promises';
import { BLOCK_BYTES, blockOf, isIn, isIntact, type FilterKey } from './filter-block.js';
import { decodeHeader, fileLengthOf, positionOf, seedOf, type FilterHeader } from './filter-header.js';
import { UnusableListError } from './unusable-list.js';

/** Blocks that are checked when a list is opened, from the first to the last. */
const CHECKED_AT_OPEN = 16;

/** A list on disk. A lookup reads one block; nothing is kept in memory but the header. */
export class FilterFile {
  readonly header: FilterHeader;
  readonly #file: FileHandle;
  readonly #seed: number;

  private constructor(file: FileHandle, header: FilterHeader) {
    this.#file = file;
    this.header = header;
    this.#seed = seedOf(header);
  }

  /**
   * Opens a list and checks its header, its length and a few blocks. The open file stays the same when another takes
   * its name.
   * @throws UnusableListError, or the error of the operating system.
   */
  static async open(path: string): Promise<FilterFile> {
    const file = await open(path, 'r');
    try {
      const header = decodeHeader(await readAt(file, 0));
      const { size } = await file.stat();
      if (size !== fileLengthOf(header)) {
        throw new UnusableListError(
          `has ${size} bytes in place of ${fileLengthOf(header)}: it is not complete`,
        );
      }
      const filter = new FilterFile(file, header);
      await filter.checkBlocks(CHECKED_AT_OPEN);
      return filter;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** @throws UnusableListError if the block is damaged, or the error of the operating system. */
  async has({ high, low }: FilterKey): Promise<boolean> {
    const { blocks, probes } = this.header;
    return isIn(await this.#block(blockOf(high, blocks)), low, probes);
  }

  /** Checks blocks at equal distances. @throws UnusableListError if one is damaged. */
  async checkBlocks(count: number): Promise<void> {
    const last = this.header.blocks - 1;
    const checked = Math.min(count, this.header.blocks);
    for (let each = 0; each < checked; each++) {
      await this.#block(Math.round((each * last) / Math.max(1, checked - 1)));
    }
  }

  /** Closes the file after the lookups under way. */
  close(): Promise<void> {
    return this.#file.close();
  }

  async #block(index: number): Promise<Buffer> {
    const block = await readAt(this.#file, positionOf(index));
    if (isIntact(block, index, this.#seed)) return block;
    throw new UnusableListError(`is damaged: the checksum of block ${index} is wrong`);
  }
}

/** Returns a block, or what there is of it at the end of the file. */
async function readAt(file: FileHandle, position: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(BLOCK_BYTES), 0, BLOCK_BYTES, position);
  return buffer.subarray(0, bytesRead);
}
