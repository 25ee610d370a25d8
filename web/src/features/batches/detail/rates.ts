import { describeRate } from '../../../entities/batch/description.ts';
import * as texts from '../../../texts/batches/batch.ts';

export interface Rate {
  at: number;
  rowsPerMinute: number;
}

export const rateMilliseconds = 3_000;
const windowMilliseconds = 5 * 60_000;

/** Keeps the rates of the last five minutes. */
export function addRate(rates: readonly Rate[], rate: Rate): readonly Rate[] {
  return [...rates.filter(({ at }) => at > rate.at - windowMilliseconds), rate];
}

/** The chart as a sentence for screen readers. */
export function describeRates(rates: readonly Rate[]): string {
  const values = rates.map(({ rowsPerMinute }) => rowsPerMinute);
  const [first, last] = [rates[0], rates.at(-1)];
  if (!first || !last) return texts.measuringSpeed;
  return texts.rateRange({
    span: describeSpan(rates),
    low: describeRate(Math.min(...values)),
    high: describeRate(Math.max(...values)),
    now: describeRate(last.rowsPerMinute),
  });
}

/** The time from the first rate to the last. */
export function describeSpan(rates: readonly Rate[]): string {
  const seconds = Math.round(((rates.at(-1)?.at ?? 0) - (rates[0]?.at ?? 0)) / 1000);
  return seconds < 90 ? texts.lastSeconds(seconds) : texts.lastMinutes(Math.round(seconds / 60));
}

/** The rates as points of a polyline. The highest rate touches the top of the box. */
export function chartPoints(
  rates: readonly Rate[],
  { width, height }: { width: number; height: number },
): string {
  const start = rates[0]?.at ?? 0;
  const span = Math.max(1, (rates.at(-1)?.at ?? 0) - start);
  const highest = Math.max(1e-9, ...rates.map(({ rowsPerMinute }) => rowsPerMinute));
  return rates
    .map(({ at, rowsPerMinute }) => {
      const x = ((at - start) / span) * width;
      const y = height - (rowsPerMinute / highest) * height;
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}
