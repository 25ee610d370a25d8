import { expect, it } from 'vitest';
import { tomorrowMorning } from './deadline.ts';

it.each([
  ['in the afternoon', new Date(2026, 10, 23, 15, 30), new Date(2026, 10, 24, 8)],
  ['after midnight', new Date(2026, 10, 23, 0, 5), new Date(2026, 10, 24, 8)],
  ['at the end of a year', new Date(2026, 11, 31, 23, 59), new Date(2027, 0, 1, 8)],
])('is eight on the next day %s', (_when, now, deadline) => {
  expect(tomorrowMorning(now)).toBe(deadline.toISOString());
});
