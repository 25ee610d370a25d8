import { expect, it } from 'vitest';
import { shownRow } from './use-preview.ts';

const whole = { rows: 60, limit: undefined, selected: null, chosen: null };
it.each([
  ['the first of a sheet', whole, [0, [0, 1, 2, 3, 4]]],
  ['the last that is wanted', { ...whole, limit: 12, chosen: 40 }, [11, [11]]],
  ['the first that runs again', { ...whole, limit: 9, selected: [53, 59] }, [53, [53, 59]]],
  ['another that runs again', { ...whole, selected: [3, 53], chosen: 4 }, [4, [53]]],
  ['one behind all of them', { ...whole, selected: [3, 53], chosen: 59 }, [59, [3, 53]]],
])('shows %s', (_, choice, expected) => {
  const { index, upcoming } = shownRow(choice);
  expect([index, upcoming]).toEqual(expected);
});
