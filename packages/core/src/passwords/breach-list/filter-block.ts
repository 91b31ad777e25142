import { crc32 } from 'node:zlib';

/** Bytes of a block: one page of most file systems, so that a lookup reads one page. */
export const BLOCK_BYTES = 4096;
const CHECKSUM_BYTES = 4;
const FILTER_BYTES = BLOCK_BYTES - CHECKSUM_BYTES;
/** Bits of a block that belong to the filter; its checksum follows them. */
export const BLOCK_BITS = FILTER_BYTES * 8;

const WORD = 2 ** 32;
/** The fraction of the golden ratio in 32 bits. */
const STEP = 0x9e_37_79_b9;

/** The first 64 bits of a SHA-1 digest. The high half selects the block, the low half the bits in it. */
export interface FilterKey {
  readonly high: number;
  readonly low: number;
}

/** Returns the block of a key. Blocks have the order of the keys, so that sorted keys fill one block after another. */
export const blockOf = (high: number, blocks: number): number => Math.floor((high * blocks) / WORD);

/** Returns the bit that a probe tests: the finalizer of MurmurHash3 over the low half and the number of the probe. */
function bitOf(low: number, probe: number): number {
  let mixed = (low + Math.imul(probe, STEP)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85_eb_ca_6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35);
  mixed ^= mixed >>> 16;
  return Math.floor(((mixed >>> 0) * BLOCK_BITS) / WORD);
}

/** Adds a key to a block. */
export function addTo(block: Buffer, low: number, probes: number): void {
  for (let probe = 0; probe < probes; probe++) {
    const bit = bitOf(low, probe);
    block[bit >>> 3] = (block[bit >>> 3] ?? 0) | (1 << (bit & 7));
  }
}

/** Reports whether a block has a key: always for keys that were added, rarely for others. */
export function isIn(block: Buffer, low: number, probes: number): boolean {
  for (let probe = 0; probe < probes; probe++) {
    const bit = bitOf(low, probe);
    if (((block[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** Returns the probability that a block has a key that was not added. */
export function falsePositiveRateOf(block: Buffer, probes: number): number {
  let ones = 0;
  for (let at = 0; at < FILTER_BYTES; at++) ones += ONES[block[at] ?? 0] ?? 0;
  return (ones / BLOCK_BITS) ** probes;
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

/** Writes the checksum of a block. @param seed of the file, so that no block of another file or position is accepted. */
export function writeChecksum(block: Buffer, index: number, seed: number): void {
  block.writeUInt32LE(checksumOf(block, index, seed), FILTER_BYTES);
}

/** Reports whether a block is as it was written. */
export const isIntact = (block: Buffer, index: number, seed: number): boolean =>
  block.length === BLOCK_BYTES && block.readUInt32LE(FILTER_BYTES) === checksumOf(block, index, seed);

const checksumOf = (block: Buffer, index: number, seed: number): number =>
  crc32(block.subarray(0, FILTER_BYTES), (seed ^ index) >>> 0);
