/** Width and height of an uploaded picture in pixels: twice what the largest avatar shows. */
export const PICTURE_SIDE = 256;
/** The service refuses larger files. */
const MAX_BYTES = 65_536;
/** Tried in turn, until the file is small enough. */
const QUALITIES = [0.9, 0.75, 0.5, 0.3];

/** Returns what a canvas shows as a file, which has no metadata. WebP, or JPEG where the browser makes no WebP. */
export async function encodePicture(canvas: HTMLCanvasElement): Promise<Blob> {
  for (const quality of QUALITIES) {
    const file =
      (await encoded(canvas, 'image/webp', quality)) ?? (await encoded(canvas, 'image/jpeg', quality));
    if (file && file.size <= MAX_BYTES) return file;
  }
  throw new TypeError('the browser makes no small picture');
}

/** Returns undefined if the browser does not make this format: it then makes PNG. */
async function encoded(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | undefined> {
  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));
  return file?.type === type ? file : undefined;
}
