import type { Batch } from '@rowmill/contract';
import {
  describeRate,
  describeTimeLeft,
  waitingRows,
} from '../../../entities/batch/description.ts';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';

type Figure = readonly [name: string, value: string];

/** The figures of a batch as they stand now; of one that has ended, what came of it in rows and in submissions. */
export function BatchCounts({ batch }: { batch: Batch }) {
  const figures = batch.receipt ? settledFigures(batch, batch.receipt) : liveFigures(batch);
  return (
    <dl className="batch-counts">
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
  const isRunning = batch.state === 'running';
  return [
    [texts.answered, formatNumber(batch.answered)],
    [texts.failed, formatNumber(batch.failed)],
    [texts.notRun, formatNumber(waitingRows(batch))],
    [texts.charged, formatNumber(batch.charged)],
    [texts.reserved, formatNumber(batch.held)],
    ...(isRunning
      ? ([
          [texts.rate, describeRate(batch.rows_per_minute)],
          [texts.timeLeft, leftOf(batch)],
        ] as const)
      : []),
  ];
}

function settledFigures(
  batch: Batch,
  { answered, failed, charged, returned }: NonNullable<Batch['receipt']>,
): Figure[] {
  const unasked = waitingRows(batch);
  return [
    [texts.answered, formatNumber(answered)],
    [texts.failed, formatNumber(failed)],
    ...(unasked > 0 ? ([[texts.notRun, formatNumber(unasked)]] as const) : []),
    [texts.charged, formatNumber(charged)],
    [texts.released, formatNumber(returned)],
  ];
}

function leftOf({ seconds_left }: Batch): string {
  return seconds_left === null ? texts.estimating : describeTimeLeft(seconds_left);
}
