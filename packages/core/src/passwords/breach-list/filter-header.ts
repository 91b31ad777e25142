import { crc32 } from 'node:zlib';
import { BLOCK_BYTES } from './filter-block.js';
import type { FilterSize } from './filter-size.js';
import { UnusableListError } from './unusable-list.js';

const MOST_PROBES = 20;

const MAGIC = Buffer.from('LATCHKEY-BREACH\n', 'latin1');
const VERSION = 1;

/** Byte offsets of the fields. Numbers are little-endian; the checksum covers everything before it. */
const AT = {
  version: 16,
  blockBytes: 20,
  probes: 24,
  blocks: 32,
  entries: 40,
  builtAt: 48,
  rate: 56,
} as const;
const CHECKSUM_AT = 64;
/** The fields before the rate are known before the first block is written. */
const SEED_LENGTH = AT.rate;

/** The first block of a list. */
export interface FilterHeader extends FilterSize {
  /** Number of lines the list was made of. */
  readonly entries: number;
  readonly builtAt: Date;
  /** The probability that a password which is not listed is taken for one that is. */
  readonly falsePositiveRate: number;
}

export function encodeHeader(header: FilterHeader): Buffer {
  const bytes = Buffer.alloc(BLOCK_BYTES);
  MAGIC.copy(bytes);
  bytes.writeUInt32LE(VERSION, AT.version);
  bytes.writeUInt32LE(BLOCK_BYTES, AT.blockBytes);
  bytes.writeUInt32LE(header.probes, AT.probes);
  bytes.writeBigUInt64LE(BigInt(header.blocks), AT.blocks);
  bytes.writeBigUInt64LE(BigInt(header.entries), AT.entries);
  bytes.writeDoubleLE(header.builtAt.getTime(), AT.builtAt);
  bytes.writeDoubleLE(header.falsePositiveRate, AT.rate);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, CHECKSUM_AT)), CHECKSUM_AT);
  return bytes;
}

/** Reports whether a file begins like a list, whatever its version and state. */
export const isHeader = (bytes: Buffer): boolean => bytes.subarray(0, MAGIC.length).equals(MAGIC);

/** @throws UnusableListError if these bytes are not the header of a list of this version. */
export function decodeHeader(bytes: Buffer): FilterHeader {
  if (!isHeader(bytes)) throw new UnusableListError('is not a list made by latchkey passwords build-list');
  if (bytes.length < BLOCK_BYTES) throw new UnusableListError('is cut off');
  const version = bytes.readUInt32LE(AT.version);
  if (version !== VERSION || bytes.readUInt32LE(AT.blockBytes) !== BLOCK_BYTES) {
    throw new UnusableListError(
      `has format ${version}, and this version of Latchkey reads format ${VERSION}`,
    );
  }
  if (bytes.readUInt32LE(CHECKSUM_AT) !== crc32(bytes.subarray(0, CHECKSUM_AT))) {
    throw new UnusableListError('is damaged: the checksum of its header is wrong');
  }
  const header = {
    probes: bytes.readUInt32LE(AT.probes),
    blocks: Number(bytes.readBigUInt64LE(AT.blocks)),
    entries: Number(bytes.readBigUInt64LE(AT.entries)),
    builtAt: new Date(bytes.readDoubleLE(AT.builtAt)),
    falsePositiveRate: bytes.readDoubleLE(AT.rate),
  };
  if (header.probes < 1 || header.probes > MOST_PROBES || header.blocks < 1) {
    throw new UnusableListError('is damaged: its header has impossible sizes');
  }
  return header;
}

/** Returns the number that the checksums of the blocks begin with: it ties them to this header. */
export const seedOf = (header: FilterHeader): number => crc32(encodeHeader(header).subarray(0, SEED_LENGTH));

/** Returns the position of a block in the file. */
export const positionOf = (index: number): number => (index + 1) * BLOCK_BYTES;

/** Returns the length of the whole file. */
export const fileLengthOf = ({ blocks }: FilterSize): number => positionOf(blocks);
