import { expect, it } from 'vitest';
import {
  addSample,
  chartPoints,
  computeRates,
  describeRates,
  type Sample,
} from './rate-samples.ts';

const samples = (...done: number[]): Sample[] =>
  done.map((count, index) => ({ at: index * 3_000, done: count }));
const addAll = (given: readonly Sample[]) => given.reduce<readonly Sample[]>(addSample, []);

it('drops samples older than five minutes', () => {
  const many = samples(...Array.from({ length: 300 }, (_, index) => index));
  const left = addAll(many);
  expect(left).toHaveLength(100);
  expect(left.at(-1)).toEqual(many.at(-1));
});

it('starts again when failed rows are retried', () => {
  expect(addAll(samples(10, 20, 15))).toEqual([{ at: 6_000, done: 15 }]);
});

it('ignores a sample right after another, which would look like a rate of 0', () => {
  expect(addAll([...samples(1), { at: 1, done: 2 }])).toEqual(samples(1));
});

it.each([
  ['no samples', samples(), []],
  ['one sample', samples(5), []],
  ['a steady rate', samples(0, 3, 6), [60, 60]],
  ['a jump', samples(0, 0, 6, 6, 6, 6), [0, 60, 40, 30, 30]],
])('computes smoothed rates from %s', (_, given, rates) => {
  expect(computeRates(given).map(({ rowsPerMinute }) => rowsPerMinute)).toEqual(rates);
});

it('describes the chart in words', () => {
  expect(describeRates([])).toBe('Measuring speed…');
  expect(describeRates(computeRates(samples(0, 3, 6, 15)))).toBe(
    'Rate over the last 6 seconds: between 60 rows/min and 100 rows/min, now 100 rows/min.',
  );
});

it('keeps the points of the chart inside its box', () => {
  const box = { width: 100, height: 20 };
  expect(chartPoints(computeRates(samples(0, 3, 9)), box)).toBe('0.0,6.7 100.0,0.0');
  expect(chartPoints(computeRates(samples(0, 0, 0)), box)).toBe('0.0,20.0 100.0,20.0');
});
