import { expect, it } from 'vitest';
import { describeRates, pointsOf, ratesOf, type Sample, withSample } from './rate-samples.ts';

const samples = (...done: number[]): Sample[] =>
  done.map((count, index) => ({ at: index * 3_000, done: count }));
const gather = (given: readonly Sample[]) => given.reduce<readonly Sample[]>(withSample, []);

it('forgets what is older than five minutes', () => {
  const many = samples(...Array.from({ length: 300 }, (_, index) => index));
  const kept = gather(many);
  expect(kept).toHaveLength(100);
  expect(kept.at(-1)).toEqual(many.at(-1));
});

it('begins anew when failed rows are run once more', () => {
  expect(gather(samples(10, 20, 15))).toEqual([{ at: 6_000, done: 15 }]);
});

it('takes no two samples at once, which would look like standing still', () => {
  expect(gather([...samples(1), { at: 1, done: 2 }])).toEqual(samples(1));
});

it.each([
  [samples(), []],
  [samples(5), []],
  [samples(0, 3, 6), [60, 60]],
  [samples(0, 0, 6, 6, 6, 6), [0, 60, 40, 30, 30]],
])('takes rates over a few samples: %o', (given, rates) => {
  expect(ratesOf(given).map(({ rowsPerMinute }) => rowsPerMinute)).toEqual(rates);
});

it('tells the picture in words', () => {
  expect(describeRates([])).toBe('No rate yet');
  expect(describeRates(ratesOf(samples(0, 3, 6, 15)))).toBe(
    'Rate over the last 6 seconds: between 60 rows/min and 100 rows/min, now 100 rows/min.',
  );
});

it('draws within its box', () => {
  expect(pointsOf(ratesOf(samples(0, 3, 9)), { width: 100, height: 20 })).toBe('0.0,6.7 100.0,0.0');
  expect(pointsOf(ratesOf(samples(0, 0, 0)), { width: 100, height: 20 })).toBe(
    '0.0,20.0 100.0,20.0',
  );
});
