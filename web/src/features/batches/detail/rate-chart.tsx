import { useEffect, useRef, useState } from 'react';
import { describeRate } from '../../../entities/batch/description.ts';
import * as texts from '../../../texts/batches.ts';
import {
  describeRates,
  pointsOf,
  ratesOf,
  type Sample,
  sampleMilliseconds,
  withSample,
} from './rate-samples.ts';

const box = { width: 600, height: 100 };

/** The rate over the last minutes, for as long as the page has been watched. */
export function RateChart({ samples }: { samples: readonly Sample[] }) {
  const rates = ratesOf(samples);
  if (rates.length < 2) return <p className="soft">{texts.measuringSpeed}</p>;
  const top = Math.max(...rates.map(({ rowsPerMinute }) => rowsPerMinute));
  return (
    <figure className="batch-chart">
      <svg
        viewBox={`0 -2 ${box.width} ${box.height + 4}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={describeRates(rates)}
      >
        <polygon points={`0,${box.height} ${pointsOf(rates, box)} ${box.width},${box.height}`} />
        <polyline points={pointsOf(rates, box)} vectorEffect="non-scaling-stroke" />
      </svg>
      <figcaption className="soft">{texts.highestRate(describeRate(top))}</figcaption>
    </figure>
  );
}

/** How many rows were done at which time, taken while somebody watches a running batch. */
export function useRateSamples(done: number, isRunning: boolean): readonly Sample[] {
  const latest = useRef(done);
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => {
    latest.current = done;
  }, [done]);
  useEffect(() => {
    if (!isRunning) return;
    const take = () =>
      setSamples((before) => withSample(before, { at: Date.now(), done: latest.current }));
    take();
    const timer = setInterval(take, sampleMilliseconds);
    return () => clearInterval(timer);
  }, [isRunning]);
  return samples;
}
