import { isJpeg, parseJpeg } from './jpeg.js';
import {
  MAX_PICTURE_BYTES,
  MAX_PICTURE_SIDE,
  MIN_PICTURE_SIDE,
  PictureFault,
  type ParsedPicture,
  type Picture,
  type PictureType,
} from './picture.js';
import { isPng, parsePng } from './png.js';
import { isWebp, parseWebp } from './webp.js';

const FORMATS: Readonly<
  Record<PictureType, { is: (file: Buffer) => boolean; parse: (file: Buffer) => ParsedPicture }>
> = {
  'image/webp': { is: isWebp, parse: parseWebp },
  'image/jpeg': { is: isJpeg, parse: parseJpeg },
  'image/png': { is: isPng, parse: parsePng },
};

/**
 * Returns a picture without its metadata, such as the place where a photo was taken. The format is recognized by the first bytes, and
 * nothing is decoded: the size is that in the header, up to which browsers decode.
 * @throws PictureFault for another format, for a picture that is truncated, animated, too large or too small.
 */
export function readPicture(file: Buffer): Picture {
  if (file.length > MAX_PICTURE_BYTES) throw new PictureFault('must have at most 64 KiB');
  const types = Object.keys(FORMATS) as PictureType[];
  const contentType = types.find((type) => FORMATS[type].is(file));
  if (!contentType) throw new PictureFault('must be a WebP, JPEG or PNG picture');
  const { parts, width, height } = FORMATS[contentType].parse(file);
  if (Math.min(width, height) < MIN_PICTURE_SIDE || Math.max(width, height) > MAX_PICTURE_SIDE) {
    throw new PictureFault(
      `must be ${MIN_PICTURE_SIDE} to ${MAX_PICTURE_SIDE} pixels wide and high; it has ${width} × ${height}`,
    );
  }
  return { contentType, content: Buffer.concat(parts), width, height };
}
