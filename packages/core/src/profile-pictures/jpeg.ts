import { PictureFault, truncated, type ParsedPicture } from './picture.js';

const START = Buffer.from('ffd8', 'hex');
const END = Buffer.from('ffd9', 'hex');
/** Markers of the segments that make the picture, by the second byte. All others are dropped: EXIF, XMP, color profiles, comments. */
const TABLES: ReadonlySet<number> = new Set([0xdb, 0xc4, 0xdd]);
/** Start of a frame: baseline, extended sequential, progressive. Browsers decode no others. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
const SCAN = 0xda;
const END_MARKER = 0xd9;
/** Segments of applications, and comments. */
const isDropped = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
/** Gray, or three components. The colors of four depend on a segment that is dropped. */
const COMPONENTS: ReadonlySet<number> = new Set([1, 3]);

export const isJpeg = (file: Buffer): boolean => file.subarray(0, START.length).equals(START);

/**
 * Parses a JPEG file (ITU-T T.81) without decoding it. What follows its end is dropped, such as a second picture.
 * @throws PictureFault
 */
export function parseJpeg(file: Buffer): ParsedPicture {
  const parts: Buffer[] = [START];
  let size: Pick<ParsedPicture, 'width' | 'height'> | undefined;
  let hasScan = false;
  for (const { marker, whole } of segmentsOf(file)) {
    if (marker === END_MARKER) {
      if (!size || !hasScan) throw truncated();
      return { ...size, parts: [...parts, END] };
    }
    if (isDropped(marker)) continue;
    if (FRAMES.has(marker)) {
      if (size) throw truncated();
      size = sizeIn(whole);
    } else if (marker === SCAN) hasScan = true;
    else if (!TABLES.has(marker)) throw new PictureFault('is a JPEG of a kind that browsers do not show');
    parts.push(whole);
  }
  throw truncated();
}

/** Returns the size in the start of a frame: marker, length, precision, height, width, number of components. */
function sizeIn(frame: Buffer): Pick<ParsedPicture, 'width' | 'height'> {
  if (frame.length < 10) throw truncated();
  if (!COMPONENTS.has(frame.readUInt8(9)))
    throw new PictureFault('has colors for print; save it as an RGB picture');
  return { height: frame.readUInt16BE(5), width: frame.readUInt16BE(7) };
}

interface Segment {
  marker: number;
  /** With its marker; that of a scan also with the data that follows. */
  whole: Buffer;
}

/** Returns the segments up to the end of the picture. */
function* segmentsOf(file: Buffer): Generator<Segment> {
  let offset = START.length;
  while (offset + 2 <= file.length) {
    if (file[offset] !== 0xff) throw truncated();
    const marker = file.readUInt8(offset + 1);
    if (marker === END_MARKER) {
      yield { marker, whole: END };
      return;
    }
    if (offset + 4 > file.length) throw truncated();
    const length = file.readUInt16BE(offset + 2);
    const headerEnd = offset + 2 + length;
    if (length < 2 || headerEnd > file.length) throw truncated();
    const end = marker === SCAN ? endOfScan(file, headerEnd) : headerEnd;
    yield { marker, whole: file.subarray(offset, end) };
    offset = end;
  }
}

/** Returns the end of the data of a scan: the next marker that is no restart (`D0` to `D7`) and no byte `FF` of the data (`00`). */
function endOfScan(file: Buffer, start: number): number {
  for (let at = file.indexOf(0xff, start); at >= 0; at = file.indexOf(0xff, at + 2)) {
    const next = file[at + 1] ?? 0;
    if (next !== 0x00 && (next < 0xd0 || next > 0xd7)) return at;
  }
  throw truncated();
}
