import { describeRate } from '../../../entities/batch/description.ts';
import * as texts from '../../../texts/batches.ts';

export interface Sample {
  at: number;
  done: number;
}

export const sampleMilliseconds = 3_000;
const windowMilliseconds = 5 * 60_000;
/** A rate is taken over several samples, or a few slow answers would make it jump. */
const smoothed = 4;

/** The samples of the last minutes. When rows are run once more the count falls, and the past no longer fits. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last && sample.done < last.done) return [sample];
  if (last && sample.at - last.at < sampleMilliseconds / 2) return samples;
  return [...samples.filter(({ at }) => at > sample.at - windowMilliseconds), sample];
}

export interface Rate {
  at: number;
  rowsPerMinute: number;
}

export function ratesOf(samples: readonly Sample[]): Rate[] {
  return samples.slice(1).flatMap((sample, index) => {
    const from = samples[Math.max(0, index + 1 - smoothed)];
    if (!from || sample.at <= from.at) return [];
    return [
      {
        at: sample.at,
        rowsPerMinute: ((sample.done - from.done) / (sample.at - from.at)) * 60_000,
      },
    ];
  });
}

/** What the picture of the rates shows, for those who do not see it. */
export function describeRates(rates: readonly Rate[]): string {
  const values = rates.map(({ rowsPerMinute }) => rowsPerMinute);
  const [first, last] = [rates[0], rates.at(-1)];
  if (!first || !last) return texts.measuringSpeed;
  const seconds = Math.round((last.at - first.at) / 1000);
  const span =
    seconds < 90 ? texts.lastSeconds(seconds) : texts.lastMinutes(Math.round(seconds / 60));
  const [low, high] = [describeRate(Math.min(...values)), describeRate(Math.max(...values))];
  return texts.rateRange({ span, low, high, now: describeRate(last.rowsPerMinute) });
}

/** The rates as points of a polyline in a box of the given size; the highest rate touches the top. */
export function pointsOf(
  rates: readonly Rate[],
  { width, height }: { width: number; height: number },
): string {
  const start = rates[0]?.at ?? 0;
  const span = Math.max(1, (rates.at(-1)?.at ?? 0) - start);
  const top = Math.max(1e-9, ...rates.map(({ rowsPerMinute }) => rowsPerMinute));
  return rates
    .map(({ at, rowsPerMinute }) => [
      ((at - start) / span) * width,
      height - (rowsPerMinute / top) * height,
    ])
    .map((point) => point.map((part) => part.toFixed(1)).join(','))
    .join(' ');
}
