import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { RowSet } from './row-set.ts';

it('holds the rows that it was made of, in order and once', () => {
  const some = fc.array(fc.nat(500), { maxLength: 60 });
  fc.assert(
    fc.property(some, fc.nat(520), fc.nat(70), fc.nat(70), (rows, end, first, count) => {
      const expected = [...new Set(rows)].filter((row) => row < end).sort((a, b) => a - b);
      for (const set of [RowSet.of(rows, end), RowSet.unpack(RowSet.of(rows, end).packed)]) {
        expect(set.size).toBe(expected.length);
        expect(set.end).toBe((expected.at(-1) ?? -1) + 1);
        expect(set.slice(0, set.size)).toEqual(expected);
        expect(set.slice(first, count)).toEqual(expected.slice(first, first + count));
        for (let row = 0; row < 530; row += 7) {
          expect(set.has(row)).toBe(expected.includes(row));
          expect(set.indexOf(row)).toBe(expected.indexOf(row));
        }
      }
    }),
  );
});

it('packs a million rows into 170 kB', () => {
  const odd = Array.from({ length: 500_000 }, (_, index) => 2 * index + 1);
  expect(RowSet.of(odd, 1_000_000).packed.length).toBeLessThan(170_000);
  expect(RowSet.of(odd, 1_000_000).has(2 ** 32 + 1)).toBe(false);
});
