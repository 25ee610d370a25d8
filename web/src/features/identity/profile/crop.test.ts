import { expect, it } from 'vitest';
import { moved, squareOf, wholeOf, zoomed, zoomLimits } from './crop.ts';

const wide = { width: 400, height: 200 };
const tall = { width: 100, height: 900 };
const tiny = { width: 1, height: 1 };

it.each([
  [wide, { left: 100, top: 0, side: 200 }],
  [tall, { left: 0, top: 400, side: 100 }],
  [tiny, { left: 0, top: 0, side: 1 }],
])('begins in the middle of %o, as large as it can', (picture, square) => {
  expect(squareOf(picture, wholeOf(picture))).toEqual(square);
});

it.each([
  ['to the right shows what lies left', { right: 0.25, down: 0 }, { left: 50, top: 0, side: 200 }],
  ['stops at the left edge', { right: 9, down: 0 }, { left: 0, top: 0, side: 200 }],
  ['stops at the right edge', { right: -9, down: 0 }, { left: 200, top: 0, side: 200 }],
  ['cannot go where there is no room', { right: 0, down: 0.5 }, { left: 100, top: 0, side: 200 }],
])('moving %s', (_, by, square) => {
  expect(squareOf(wide, moved(wide, wholeOf(wide), by))).toEqual(square);
});

it('enlarges around the middle, and keeps within its limits', () => {
  const near = zoomed(wide, wholeOf(wide), 2);
  expect(squareOf(wide, near)).toEqual({ left: 150, top: 50, side: 100 });
  expect(zoomed(wide, near, 99).zoom).toBe(zoomLimits.most);
  expect(zoomed(wide, near, 0)).toEqual(wholeOf(wide));
});

it('comes back inside when it is made smaller at an edge', () => {
  const corner = moved(wide, zoomed(wide, wholeOf(wide), 4), { right: 99, down: 99 });
  expect(squareOf(wide, corner)).toEqual({ left: 0, top: 0, side: 50 });
  expect(squareOf(wide, zoomed(wide, corner, 1))).toEqual({ left: 0, top: 0, side: 200 });
});

it('never leaves the picture, whatever is done', () => {
  for (const picture of [wide, tall, tiny]) {
    let crop = wholeOf(picture);
    for (let step = 0; step < 500; step += 1) {
      const by = { right: Math.sin(step * 7), down: Math.cos(step * 3) };
      crop = step % 3 ? moved(picture, crop, by) : zoomed(picture, crop, 1 + (step % 11));
      const { left, top, side } = squareOf(picture, crop);
      expect(Math.min(left, top)).toBeGreaterThanOrEqual(-1e-9);
      expect(left + side).toBeLessThanOrEqual(picture.width + 1e-9);
      expect(top + side).toBeLessThanOrEqual(picture.height + 1e-9);
    }
  }
});
