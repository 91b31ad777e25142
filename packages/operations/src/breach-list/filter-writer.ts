import type { FileHandle } from 'node:fs/promises';
import {
  addTo,
  BLOCK_BYTES,
  blockOf,
  falsePositiveRateOf,
  writeChecksum,
} from '@latchkey/core/internal/passwords/breach-list/filter-block';
import {
  encodeHeader,
  positionOf,
  seedOf,
  type FilterHeader,
} from '@latchkey/core/internal/passwords/breach-list/filter-header';
import { filterSizeFor, PARTS } from '@latchkey/core/internal/passwords/breach-list/filter-size';
import type { KeySpill } from './key-spill.js';

/** Contents and destination of a filter. */
interface FilterOrder {
  readonly keys: KeySpill;
  readonly entries: number;
  readonly builtAt: Date;
  readonly falsePositiveRate: number;
  /** Called after each part with the share that is written, up to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** Writes a filter part by part. Returns its header, with the rate of false positives of its blocks as they are. */
export async function writeFilter(file: FileHandle, order: FilterOrder): Promise<FilterHeader> {
  const { keys, entries, builtAt, onProgress, signal } = order;
  const size = filterSizeFor(keys.count, order.falsePositiveRate);
  const planned: FilterHeader = { ...size, entries, builtAt, falsePositiveRate: order.falsePositiveRate };
  const seed = seedOf(planned);
  const blocks = size.blocks / PARTS;
  let rates = 0;
  for (let part = 0; part < PARTS; part++) {
    signal?.throwIfAborted();
    const piece = Buffer.alloc(blocks * BLOCK_BYTES);
    const first = part * blocks;
    for await (const chunk of keys.chunksOf(part)) {
      chunk.forEach((high, low) => {
        addTo(blockIn(piece, blockOf(high, size.blocks) - first), low, size.probes);
      });
    }
    for (let each = 0; each < blocks; each++) {
      const block = blockIn(piece, each);
      rates += falsePositiveRateOf(block, size.probes);
      writeChecksum(block, first + each, seed);
    }
    await file.write(piece, 0, piece.length, positionOf(first));
    onProgress((part + 1) / PARTS);
  }
  const header = { ...planned, falsePositiveRate: rates / size.blocks };
  await file.write(encodeHeader(header), 0, BLOCK_BYTES, 0);
  return header;
}

const blockIn = (piece: Buffer, index: number): Buffer =>
  piece.subarray(index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES);
