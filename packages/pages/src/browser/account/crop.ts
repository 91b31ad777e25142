/** The part of a picture that is kept: a square. */
export interface Crop {
  /** 1 shows as much as fits, `MAX_ZOOM` the smallest part. */
  zoom: number;
  /** Place of the square between the left edge, 0, and the right one, 1. */
  x: number;
  /** The same from top to bottom. */
  y: number;
}

interface Size {
  width: number;
  height: number;
}

/** A square of a picture, in its pixels. */
interface Square {
  left: number;
  top: number;
  side: number;
}

export const MAX_ZOOM = 4;
export const CENTERED: Crop = { zoom: 1, x: 0.5, y: 0.5 };

const between = (least: number, value: number, most: number): number =>
  Math.min(Math.max(value, least), most);

/** Returns the square that is kept. */
export function squareOf({ width, height }: Size, { zoom, x, y }: Crop): Square {
  const side = Math.min(width, height) / zoom;
  return { left: x * (width - side), top: y * (height - side), side };
}

/**
 * Returns the crop after the picture was dragged.
 * @param by the distance, as a part of the side of the square as it is shown.
 */
export function dragged(size: Size, crop: Crop, by: { x: number; y: number }): Crop {
  const { left, top, side } = squareOf(size, crop);
  const placeOf = (start: number, distance: number, range: number): number =>
    range === 0 ? 0.5 : between(0, (start - distance * side) / range, 1);
  return {
    zoom: crop.zoom,
    x: placeOf(left, by.x, size.width - side),
    y: placeOf(top, by.y, size.height - side),
  };
}

/** Returns the crop at another zoom, around the same center as far as the edges allow. */
export function zoomed(size: Size, crop: Crop, zoom: number): Crop {
  const before = squareOf(size, crop);
  const next = { ...crop, zoom: between(1, zoom, MAX_ZOOM) };
  const shift = (before.side - squareOf(size, next).side) / 2;
  const side = before.side - 2 * shift;
  const placeOf = (start: number, range: number): number =>
    range === 0 ? 0.5 : between(0, (start + shift) / range, 1);
  return {
    ...next,
    x: placeOf(before.left, size.width - side),
    y: placeOf(before.top, size.height - side),
  };
}
