import { BLOCK_BITS } from './filter-block.js';

/** Parts into which keys are divided while a list is built. The number of blocks is a multiple of it. */
export const PARTS = 256;
/** With more blocks, the position of a key would not be exact: the product has 53 bits. 8 GiB. */
const MOST_BLOCKS = 2 ** 21;
/** Blocks get different numbers of keys by chance; the fuller ones have more false positives. */
const SPARE = 1.02;

/** The size of a filter. */
export interface FilterSize {
  readonly blocks: number;
  /** Bits that each key sets. */
  readonly probes: number;
}

/** Returns the size of a Bloom filter for so many keys. @throws RangeError if there are too many. */
export function filterSizeFor(keys: number, falsePositiveRate: number): FilterSize {
  const probes = Math.max(1, Math.round(-Math.log2(falsePositiveRate)));
  const bitsPerKey = -probes / Math.log(1 - falsePositiveRate ** (1 / probes));
  const wanted = (keys * bitsPerKey * SPARE) / BLOCK_BITS;
  const blocks = Math.max(1, Math.ceil(wanted / PARTS)) * PARTS;
  if (blocks > MOST_BLOCKS) throw new RangeError('too many entries for one list');
  return { blocks, probes };
}
