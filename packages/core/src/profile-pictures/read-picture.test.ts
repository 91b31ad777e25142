import { describe, expect, it } from 'vitest';
import {
  jpegSegment,
  PICTURES,
  pngChunk,
  pngOf,
  webpChunk,
  webpHeader,
  webpOf,
} from '../../../../test/support/pictures.js';
import { readPicture } from './read-picture.js';

const PLACE = 'GPSLatitude 52.5200 GPSLongitude 13.4050';
const EXIF = `Exif\0\0${PLACE}`;
const SCRIPT = '<script>alert(document.domain)</script>';
const TRUNCATED = 'is truncated or damaged';
const ANIMATED = 'is animated; send a single picture';

const entries = Object.entries(PICTURES) as [keyof typeof PICTURES, Buffer][];
const { jpeg, png, lossy, lossless, transparent } = PICTURES;
/** The chunks of a WebP file behind its header. */
const chunksIn = (file: Buffer): Buffer => file.subarray(12);

const faultOf = (file: Buffer): string => {
  try {
    return `none: ${readPicture(file).contentType}`;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('a picture without metadata', () => {
  it.each(entries)('%s is kept byte by byte, and its size is that in its header', (name, file) => {
    const { content, contentType, width, height } = readPicture(file);
    expect(content.equals(file)).toBe(true);
    expect([width, height]).toEqual([40, 32]);
    const types = { jpeg: 'image/jpeg', png: 'image/png' } as Partial<Record<string, string>>;
    expect(contentType).toBe(types[name] ?? 'image/webp');
  });
});

describe('metadata', () => {
  it('of JPEG is removed: EXIF, XMP, color profiles, data of programs and comments', () => {
    const extra = [
      jpegSegment(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\0\0'),
      jpegSegment(0xe1, EXIF),
      jpegSegment(0xe1, `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${PLACE}</x:xmpmeta>`),
      jpegSegment(0xe2, 'ICC_PROFILE\0\x01\x01text'),
      jpegSegment(0xed, 'Photoshop 3.0\0Ada Lovelace'),
      jpegSegment(0xef, SCRIPT),
      jpegSegment(0xfe, SCRIPT),
    ];
    const file = Buffer.concat([jpeg.subarray(0, 2), ...extra, jpeg.subarray(2)]);
    expect(readPicture(file).content.equals(jpeg)).toBe(true);
  });

  it('of PNG is removed: EXIF, text, time, color profiles and chunks of programs', () => {
    const extra = ['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME', 'iCCP', 'prVt'].map((type) =>
      pngChunk(type, PLACE),
    );
    expect(readPicture(pngOf(undefined, { extra })).content.equals(png)).toBe(true);
  });

  it('of WebP is removed: EXIF, XMP, color profiles and unknown chunks', () => {
    const extra = ['ICCP', 'EXIF', 'XMP ', 'note'].map((type) => webpChunk(type, `${PLACE}!`));
    for (const [file, flags] of [
      [lossy, 0x2c],
      [lossless, 0x3c],
    ] as const) {
      const dirty = webpOf(webpHeader({ flags }), ...extra, chunksIn(file), ...extra);
      expect(readPicture(dirty).content.equals(file)).toBe(true);
    }
    const withAlpha = webpOf(
      webpHeader({ flags: 0x3c }),
      ...extra,
      chunksIn(transparent).subarray(18),
      ...extra,
    );
    expect(readPicture(withAlpha).content.equals(transparent)).toBe(true);
  });

  it.each(entries)(
    'what follows the end of %s is removed, such as a document or an archive',
    (_name, file) => {
      for (const tail of [SCRIPT, 'PK\x03\x04', '%PDF-1.7'])
        expect(readPicture(Buffer.concat([file, Buffer.from(tail, 'latin1')])).content.equals(file)).toBe(
          true,
        );
    },
  );
});

describe('a picture is refused', () => {
  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="32"><script/></svg>'],
    ['HTML', '<!doctype html><script></script>'],
    ['GIF', 'GIF89a(\0 \0'],
    ['BMP', 'BM'],
    ['AVIF', '\0\0\0\x20ftypavif'],
    ['an empty file', ''],
    ['a picture behind other bytes', `\n${png.toString('latin1')}`],
    ['RIFF that is a sound', lossy.toString('latin1').replace('WEBP', 'WAVE')],
  ])('if it is %s', (_name, text) => {
    expect(faultOf(Buffer.from(text, 'latin1'))).toBe('must be a WebP, JPEG or PNG picture');
  });

  it.each(entries)('if %s ends early, wherever that is', (_name, file) => {
    for (let end = 12; end < file.length; end += 1)
      expect(faultOf(file.subarray(0, end)), `${end} bytes`).toBe(TRUNCATED);
  });

  it('if a byte of a PNG is wrong', () => {
    for (let at = 8; at < png.length; at += 1) {
      const damaged = Buffer.from(png);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      expect(faultOf(damaged), `byte ${at}`).toBe(TRUNCATED);
    }
  });

  it('if it is animated', () => {
    const control = pngChunk('acTL', Buffer.alloc(8));
    expect(faultOf(pngOf(undefined, { extra: [control] }))).toBe(ANIMATED);
    expect(faultOf(webpOf(webpHeader({ flags: 0x02 }), chunksIn(lossy)))).toBe(ANIMATED);
    const frames = [webpChunk('ANIM', Buffer.alloc(6)), webpChunk('ANMF', Buffer.alloc(16))];
    expect(faultOf(webpOf(webpHeader({ flags: 0 }), ...frames, chunksIn(lossy)))).toBe(ANIMATED);
  });

  it.each([
    [31, 32],
    [32, 31],
    [513, 32],
    [32, 513],
    [0, 0],
    [2 ** 31, 2 ** 31],
    [2 ** 32 - 1, 32],
  ])('if its header says %i × %i pixels, whatever its data has', (width, height) => {
    const file = pngOf({ width, height }, { pixels: { width: 32, height: 32 } });
    expect(faultOf(file)).toBe(`must be 32 to 512 pixels wide and high; it has ${width} × ${height}`);
  });

  it('if a WebP says two sizes', () => {
    const file = webpOf(webpHeader({ flags: 0, width: 512, height: 512 }), chunksIn(lossy));
    expect(faultOf(file)).toBe('has two sizes');
  });

  it('if it has more than 64 KiB', () => {
    const noise = pngChunk('IDAT', Buffer.alloc(65_536));
    expect(faultOf(pngOf(undefined, { extra: [noise] }))).toBe('must have at most 64 KiB');
  });

  it('if a JPEG has two sizes, no picture, colors for print, or a kind that browsers do not show', () => {
    const frame = jpeg.indexOf(Buffer.from('ffc0', 'hex'));
    const changed = (at: number, byte: number): Buffer => {
      const file = Buffer.from(jpeg);
      file[at] = byte;
      return file;
    };
    const again = jpeg.subarray(frame, frame + 19);
    expect(faultOf(Buffer.concat([jpeg.subarray(0, 2), again, jpeg.subarray(2)]))).toBe(TRUNCATED);
    expect(faultOf(Buffer.concat([jpeg.subarray(0, frame + 19), jpeg.subarray(-2)]))).toBe(TRUNCATED);
    expect(faultOf(changed(frame + 9, 4))).toBe('has colors for print; save it as an RGB picture');
    for (const kind of [0xc3, 0xc9, 0xcc, 0xdc, 0x01])
      expect(faultOf(changed(frame + 1, kind))).toBe('is a JPEG of a kind that browsers do not show');
  });

  it('without a loop, whatever lengths it says', () => {
    const lengths = [0, 1, 2, 3, 0xff, 0xffff, 0xffffffff];
    for (const [, file] of entries)
      for (let at = 2; at + 4 <= file.length; at += 1)
        for (const length of lengths) {
          const hostile = Buffer.from(file);
          hostile.writeUInt32BE(length, at);
          expect(faultOf(hostile)).toEqual(expect.any(String));
        }
  });
});
