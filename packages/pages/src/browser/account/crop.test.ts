import { describe, expect, it } from 'vitest';
import { CENTERED, dragged, MAX_ZOOM, squareOf, zoomed } from './crop.js';

const wide = { width: 800, height: 400 };

describe('the kept square', () => {
  it('is in the center of the picture, and as large as fits', () => {
    expect(squareOf(wide, CENTERED)).toEqual({ left: 200, top: 0, side: 400 });
    expect(squareOf({ width: 300, height: 900 }, CENTERED)).toEqual({ left: 0, top: 300, side: 300 });
  });

  it('follows the drag, by its own pixels, and stops at the edges', () => {
    expect(squareOf(wide, dragged(wide, CENTERED, { x: 0.25, y: 0 })).left).toBe(100);
    expect(squareOf(wide, dragged(wide, CENTERED, { x: 9, y: 9 }))).toEqual({ left: 0, top: 0, side: 400 });
    expect(squareOf(wide, dragged(wide, CENTERED, { x: -9, y: -9 })).left).toBe(400);
    const close = { ...CENTERED, zoom: 2 };
    expect(squareOf(wide, dragged(wide, close, { x: 0.5, y: -0.25 }))).toEqual({
      left: 200,
      top: 150,
      side: 200,
    });
  });

  it('keeps its center while the zoom changes, and stays within the picture', () => {
    const near = zoomed(wide, CENTERED, 2);
    expect(squareOf(wide, near)).toEqual({ left: 300, top: 100, side: 200 });
    expect(zoomed(wide, near, 1)).toEqual(CENTERED);
    const corner = { zoom: 4, x: 1, y: 1 };
    expect(squareOf(wide, zoomed(wide, corner, 1))).toEqual({ left: 400, top: 0, side: 400 });
    expect(zoomed(wide, CENTERED, 99).zoom).toBe(MAX_ZOOM);
    expect(zoomed(wide, CENTERED, 0).zoom).toBe(1);
  });
});
