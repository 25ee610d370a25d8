import { describeRate } from '../../../entities/batch/description.ts';
import * as texts from '../../../texts/batches.ts';

export interface Sample {
  at: number;
  done: number;
}

export const sampleMilliseconds = 3_000;
const windowMilliseconds = 5 * 60_000;
/** A rate spans this many samples, so that a few slow answers do not make it jump. */
const smoothedSamples = 4;

/** Keeps the samples of the last five minutes. A retry lowers the count, so sampling starts again. */
export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last && sample.done < last.done) return [sample];
  if (last && sample.at - last.at < sampleMilliseconds / 2) return samples;
  return [...samples.filter(({ at }) => at > sample.at - windowMilliseconds), sample];
}

export interface Rate {
  at: number;
  rowsPerMinute: number;
}

export function computeRates(samples: readonly Sample[]): Rate[] {
  return samples.slice(1).flatMap(({ at, done }, index) => {
    const from = samples[Math.max(0, index + 1 - smoothedSamples)];
    if (!from || at <= from.at) return [];
    return [{ at, rowsPerMinute: ((done - from.done) / (at - from.at)) * 60_000 }];
  });
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
