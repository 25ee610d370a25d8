import { expect, it } from 'vitest';
import { type Places, placesOf, shiftAfterStep, shiftOfPlace, shiftOfRow } from './grid-rows.ts';

const million = placesOf(1_000_000, 38);
const ten = placesOf(10_000_000, 76);
const last = ({ count, hidden }: Places) => count + hidden - 1;

it('gives every row its own place while they fit', () => {
  const { count, hidden } = placesOf(100_000, 38);
  expect([count, hidden]).toEqual([100_000, 0]);
});

it.each([0, 1, 2, 3])('shifts no row of %i', (total) => {
  const places = placesOf(total, 38);
  expect([shiftOfPlace(0, places), shiftOfRow(0, places), shiftAfterStep(0, 0, places)]).toEqual([
    0, 0, 0,
  ]);
});

it.each([million, ten])('reaches the first and the last row, of %o', (places) => {
  expect(shiftOfPlace(0, places)).toBe(0);
  expect(shiftOfRow(0, places)).toBe(0);
  expect(shiftOfPlace(places.count - 1, places) + places.count - 1).toBe(last(places));
  expect(last(places) - shiftOfRow(last(places), places)).toBe(places.count - 1);
});

it.each([million, ten])('has a place for every row, of %o', (places) => {
  let before = -1;
  for (let row = 0; row <= last(places); row++) {
    const place = row - shiftOfRow(row, places);
    if (place < before || place < 0 || place >= places.count) throw new Error(`row ${row}`);
    before = place;
  }
  expect(before).toBe(places.count - 1);
});

it.each([million, ten])(
  'shows the part of all rows where the scroll bar stands, of %o',
  (places) => {
    const middle = places.count / 2;
    expect((middle + shiftOfPlace(middle, places)) / last(places)).toBeCloseTo(0.5, 3);
    for (const row of [0.2, 0.5, 0.9].map((part) => Math.round(part * last(places)))) {
      const place = row - shiftOfRow(row, places);
      const screens = Math.abs(place + shiftOfPlace(place, places) - row) / last(places);
      expect(screens).toBeLessThan(0.000_1);
    }
  },
);

/** Steps of a wheel from where the scroll bar was dropped; each must move by the same rows. */
it.each([
  ['down to the end', 0.7, 1],
  ['up to the start', 0.3, -1],
])('moves by steps %s without a gap', (_, from, direction) => {
  let place = Math.round(from * million.count);
  let shift = shiftOfPlace(place, million);
  for (let row = place + shift; row > 0 && row < last(million); ) {
    place += direction;
    const next = shiftAfterStep(place, shift, million);
    place += shift - next;
    shift = next;
    if (place + shift !== row + direction || place < 0 || place >= million.count)
      throw new Error(`from row ${row} to ${place + shift}, place ${place}`);
    row = place + shift;
  }
  expect([0, million.count - 1]).toContain(place);
});
