/** Maximum length of a picture, bytes: in base64 it fits into the body of a request. */
export const MAX_PICTURE_BYTES = 65_536;
/** Width and height that a picture has at least, pixels. */
export const MIN_PICTURE_SIDE = 32;
/** Width and height that a picture has at most, pixels. */
export const MAX_PICTURE_SIDE = 512;

/** The formats of pictures, by their media types. SVG is none: it is a document that may have scripts. */
export const PICTURE_TYPES = ['image/webp', 'image/jpeg', 'image/png'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

/** A picture without metadata. */
export interface Picture {
  contentType: PictureType;
  content: Buffer;
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
}

/** The result of the parser of a format: the size in the header, and the parts without metadata. */
export type ParsedPicture = Pick<Picture, 'width' | 'height'> & { parts: readonly Buffer[] };

/** Thrown for a picture that is not accepted, with the fault as text to be read after the name of the field. */
export class PictureFault extends Error {
  override readonly name = 'PictureFault';
}

export const truncated = (): PictureFault => new PictureFault('is truncated or damaged');
export const animated = (): PictureFault => new PictureFault('is animated; send a single picture');
