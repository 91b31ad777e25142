import { crc32 } from 'node:zlib';
import { animated, truncated, type ParsedPicture } from './picture.js';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Length of a chunk beside its data: length, type and checksum. */
const CHUNK_BYTES = 12;
const HEADER_BYTES = 13;
/** The chunks that make the picture. All others are dropped: text, EXIF, time, color profiles, and those of other programs. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
/** The control chunk of an animated PNG. */
const ANIMATION = 'acTL';

export const isPng = (file: Buffer): boolean => file.subarray(0, SIGNATURE.length).equals(SIGNATURE);

/**
 * Parses a PNG file (RFC 2083) without decoding it. What follows its end is dropped.
 * @throws PictureFault
 */
export function parsePng(file: Buffer): ParsedPicture {
  const chunks = [...chunksOf(file)];
  const header = chunks[0];
  if (header?.type !== 'IHDR' || header.data.length !== HEADER_BYTES) throw truncated();
  if (chunks.some(({ type }) => type === ANIMATION)) throw animated();
  if (!chunks.some(({ type }) => type === 'IDAT')) throw truncated();
  const parts = chunks.filter(({ type }) => KEPT.has(type)).map(({ whole }) => whole);
  return {
    width: header.data.readUInt32BE(0),
    height: header.data.readUInt32BE(4),
    parts: [SIGNATURE, ...parts],
  };
}

interface Chunk {
  type: string;
  data: Buffer;
  /** With length, type and checksum. */
  whole: Buffer;
}

/** Returns the chunks up to the end of the picture. */
function* chunksOf(file: Buffer): Generator<Chunk> {
  let offset = SIGNATURE.length;
  while (offset + CHUNK_BYTES <= file.length) {
    const length = file.readUInt32BE(offset);
    const end = offset + CHUNK_BYTES + length;
    if (end > file.length) throw truncated();
    const whole = file.subarray(offset, end);
    if (crc32(whole.subarray(4, -4)) !== whole.readUInt32BE(whole.length - 4)) throw truncated();
    const type = whole.toString('latin1', 4, 8);
    yield { type, data: whole.subarray(8, -4), whole };
    if (type === 'IEND') return;
    offset = end;
  }
  throw truncated();
}
