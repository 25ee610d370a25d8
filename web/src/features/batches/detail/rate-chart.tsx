import { useEffect, useRef, useState } from 'react';
import { describeRate } from '../../../entities/batch/description.ts';
import * as texts from '../../../texts/batches/batch.ts';
import styles from './batch-detail.module.css';
import {
  addRate,
  chartPoints,
  describeRates,
  describeSpan,
  type Rate,
  rateMilliseconds,
} from './rates.ts';

const box = { width: 600, height: 80 };
/** For the highest rate in words. */
const headroom = 20;

/** The rate of the last minutes, as far as the page was open. */
export function RateChart({ rates }: { rates: readonly Rate[] }) {
  if (rates.length < 2) return <p className="muted">{texts.measuringSpeed}</p>;
  const highest = Math.max(...rates.map(({ rowsPerMinute }) => rowsPerMinute));
  const points = chartPoints(rates, box);
  return (
    <figure className={styles.chart}>
      <svg
        viewBox={`0 -${headroom} ${box.width} ${box.height + headroom + 2}`}
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

/** Notes the rate that is shown every few seconds, so the chart and the figure beside it agree. */
export function useRates(rate: number | null): readonly Rate[] {
  const latest = useRef(rate);
  const [rates, setRates] = useState<readonly Rate[]>([]);
  useEffect(() => {
    latest.current = rate;
  }, [rate]);
  useEffect(() => {
    const note = () => {
      const rowsPerMinute = latest.current;
      if (rowsPerMinute !== null)
        setRates((rates) => addRate(rates, { at: Date.now(), rowsPerMinute }));
    };
    note();
    const timer = setInterval(note, rateMilliseconds);
    return () => clearInterval(timer);
  }, []);
  return rates;
}
