import { useEffect, useRef, useState } from 'react';
import { describeRate } from '../../../entities/batch/description.ts';
import * as texts from '../../../texts/batches.ts';
import styles from './batch-detail.module.css';
import {
  addSample,
  chartPoints,
  computeRates,
  describeRates,
  describeSpan,
  type Sample,
  sampleMilliseconds,
} from './rate-samples.ts';

const box = { width: 600, height: 80 };

/** The rate of the last minutes, measured while the page is open. */
export function RateChart({ samples }: { samples: readonly Sample[] }) {
  const rates = computeRates(samples);
  if (rates.length < 2) return <p className="muted">{texts.measuringSpeed}</p>;
  const highest = Math.max(...rates.map(({ rowsPerMinute }) => rowsPerMinute));
  const points = chartPoints(rates, box);
  return (
    <figure className={styles.chart}>
      <svg
        viewBox={`0 -2 ${box.width} ${box.height + 4}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={describeRates(rates)}
      >
        <polygon points={`0,${box.height} ${points} ${box.width},${box.height}`} />
        <polyline points={points} vectorEffect="non-scaling-stroke" />
      </svg>
      <figcaption className={styles.axis}>
        <span className={styles.highest}>{describeRate(highest)}</span>
        <span>{texts.chartStart(describeSpan(rates))}</span>
        <span>{texts.chartEnd}</span>
      </figcaption>
    </figure>
  );
}

/** Samples the number of done rows while the batch runs. */
export function useRateSamples(done: number, isRunning: boolean): readonly Sample[] {
  const latest = useRef(done);
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => {
    latest.current = done;
  }, [done]);
  useEffect(() => {
    if (!isRunning) return;
    const takeSample = () =>
      setSamples((samples) => addSample(samples, { at: Date.now(), done: latest.current }));
    takeSample();
    const timer = setInterval(takeSample, sampleMilliseconds);
    return () => clearInterval(timer);
  }, [isRunning]);
  return samples;
}
