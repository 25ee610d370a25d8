import { expect, it } from 'vitest';
import { type BatchRow, submissionsNeeded } from './batches.ts';

const batch = {
  rows: 500,
  answered: 25,
  failed: 0,
  skipped: 0,
  price: 1,
  reserved: 0,
  is_partial: true,
  free_rows_at_end: 2,
} as BatchRow;

it.each([
  ['counted the rows that cost nothing', { open_free_rows: 5 }, 470],
  ['knows only those at its end', { open_free_rows: null }, 473],
  ['reserved for all rows', { open_free_rows: null, is_partial: false, reserved: 475 }, 0],
  ['reserved for all rows that cost something', { open_free_rows: 5, reserved: 470 }, 0],
])('a batch that %s needs submissions for the others', (_, changes, needed) => {
  expect(submissionsNeeded({ ...batch, ...changes })).toBe(needed);
});
