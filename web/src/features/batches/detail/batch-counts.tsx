import type { Batch } from '@rowmill/contract';
import {
  describeRate,
  describeTimeLeft,
  waitingRows,
} from '../../../entities/batch/description.ts';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';
import styles from './batch-detail.module.css';

type Figure = readonly [name: string, value: string];

/** The figures of a batch: live ones until it ends, then those of its receipt. */
export function BatchCounts({ batch }: { batch: Batch }) {
  const figures = batch.receipt ? receiptFigures(batch, batch.receipt) : liveFigures(batch);
  return (
    <dl className={styles.counts}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function liveFigures(batch: Batch): Figure[] {
  const figures: Figure[] = [
    [texts.answered, formatNumber(batch.answered)],
    [texts.failed, formatNumber(batch.failed)],
    [texts.notRun, formatNumber(waitingRows(batch))],
    [texts.charged, formatNumber(batch.charged)],
    [texts.reserved, formatNumber(batch.held)],
  ];
  if (batch.state !== 'running') return figures;
  const { rows_per_minute, seconds_left } = batch;
  const timeLeft = seconds_left === null ? texts.estimating : describeTimeLeft(seconds_left);
  return [...figures, [texts.rate, describeRate(rows_per_minute)], [texts.timeLeft, timeLeft]];
}

function receiptFigures(batch: Batch, receipt: NonNullable<Batch['receipt']>): Figure[] {
  const notRun = waitingRows(batch);
  return [
    [texts.answered, formatNumber(receipt.answered)],
    [texts.failed, formatNumber(receipt.failed)],
    ...(notRun > 0 ? [[texts.notRun, formatNumber(notRun)] as const] : []),
    [texts.charged, formatNumber(receipt.charged)],
    [texts.released, formatNumber(receipt.returned)],
  ];
}
