import { animated, PictureFault, truncated, type ParsedPicture } from './picture.js';

/** `RIFF`, a length, `WEBP`. */
const FILE_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const EXTENDED_BYTES = 10;
/** Flags of the extended header (RFC 9649 section 2.7.1). */
const ANIMATION_FLAG = 0x02;
const ALPHA_FLAG = 0x10;

export const isWebp = (file: Buffer): boolean =>
  file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP';

/**
 * Parses a WebP file (RFC 9649) without decoding it. Metadata, color profiles, unknown chunks and what follows the end are dropped.
 * @throws PictureFault
 */
export function parseWebp(file: Buffer): ParsedPicture {
  const chunks = chunksOf(file);
  if (chunks.some(({ type }) => type === 'ANIM' || type === 'ANMF')) throw animated();
  const image = chunks.find(({ type }) => type === 'VP8 ' || type === 'VP8L');
  if (!image) throw truncated();
  const size = image.type === 'VP8L' ? sizeOfLossless(image.data) : sizeOfLossy(image.data);
  assertExtendedFits(chunks, size);
  const alpha = image.type === 'VP8 ' ? chunks.find(({ type }) => type === 'ALPH') : undefined;
  const kept = alpha ? [extendedHeader(size), alpha.whole, image.whole] : [image.whole];
  return { ...size, parts: [fileHeader(kept), ...kept] };
}

type Size = Pick<ParsedPicture, 'width' | 'height'>;

interface Chunk {
  type: string;
  data: Buffer;
  /** With type, length and padding. */
  whole: Buffer;
}

function chunksOf(file: Buffer): Chunk[] {
  if (file.length < FILE_HEADER_BYTES) throw truncated();
  const end = CHUNK_HEADER_BYTES + file.readUInt32LE(4);
  if (end > file.length) throw truncated();
  const chunks: Chunk[] = [];
  let offset = FILE_HEADER_BYTES;
  while (offset + CHUNK_HEADER_BYTES <= end) {
    const length = file.readUInt32LE(offset + 4);
    const start = offset + CHUNK_HEADER_BYTES;
    const next = start + length + (length % 2);
    if (next > end) throw truncated();
    chunks.push({
      type: file.toString('latin1', offset, offset + 4),
      data: file.subarray(start, start + length),
      whole: file.subarray(offset, next),
    });
    offset = next;
  }
  return chunks;
}

/** Returns the size in the frame header of VP8 (RFC 6386 section 9.1): a key frame, its start code, and 14 bits for each side. */
function sizeOfLossy(data: Buffer): Size {
  const isKeyFrame = data.length >= 10 && (data.readUInt8(0) & 1) === 0;
  if (!isKeyFrame || data.readUIntBE(3, 3) !== 0x9d012a) throw truncated();
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
}

/** Returns the size in the header of a lossless picture (RFC 9649 section 3.4): a signature, and 14 bits for each side less one. */
function sizeOfLossless(data: Buffer): Size {
  if (data.length < 5 || data.readUInt8(0) !== 0x2f) throw truncated();
  const bits = data.readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Throws if the extended header announces an animation, or a canvas of another size than the picture. */
function assertExtendedFits(chunks: readonly Chunk[], { width, height }: Size): void {
  const extended = chunks.find(({ type }) => type === 'VP8X');
  if (!extended) return;
  const { data } = extended;
  if (data.length < EXTENDED_BYTES) throw truncated();
  if ((data.readUInt8(0) & ANIMATION_FLAG) !== 0) throw animated();
  if (data.readUIntLE(4, 3) + 1 !== width || data.readUIntLE(7, 3) + 1 !== height)
    throw new PictureFault('has two sizes');
}

/** Returns the extended header that a lossy picture with transparency needs. */
function extendedHeader({ width, height }: Size): Buffer {
  const header = Buffer.alloc(CHUNK_HEADER_BYTES + EXTENDED_BYTES);
  header.write('VP8X', 'latin1');
  header.writeUInt32LE(EXTENDED_BYTES, 4);
  header.writeUInt8(ALPHA_FLAG, CHUNK_HEADER_BYTES);
  header.writeUIntLE(width - 1, CHUNK_HEADER_BYTES + 4, 3);
  header.writeUIntLE(height - 1, CHUNK_HEADER_BYTES + 7, 3);
  return header;
}

function fileHeader(chunks: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(FILE_HEADER_BYTES);
  header.write('RIFF', 'latin1');
  header.writeUInt32LE(4 + chunks.reduce((sum, { length }) => sum + length, 0), 4);
  header.write('WEBP', 8, 'latin1');
  return header;
}
