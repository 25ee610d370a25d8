import { expect, it } from 'vitest';
import { addRate, chartPoints, describeRates, type Rate } from './rates.ts';

const rates = (...given: number[]): Rate[] =>
  given.map((rowsPerMinute, index) => ({ at: index * 3_000, rowsPerMinute }));

it('drops rates older than five minutes', () => {
  const many = rates(...Array.from({ length: 300 }, (_, index) => index));
  const left = many.reduce<readonly Rate[]>(addRate, []);
  expect(left).toHaveLength(100);
  expect(left.at(-1)).toEqual(many.at(-1));
});

it('describes the chart in words', () => {
  expect(describeRates([])).toBe('Measuring speed…');
  expect(describeRates(rates(60, 60, 100))).toBe(
    'Rate over the last 6 seconds: between 60 rows/min and 100 rows/min, now 100 rows/min.',
  );
});

it('keeps the points of the chart inside its box', () => {
  const box = { width: 100, height: 20 };
  expect(chartPoints(rates(60, 90), box)).toBe('0.0,6.7 100.0,0.0');
  expect(chartPoints(rates(0, 0), box)).toBe('0.0,20.0 100.0,20.0');
});
