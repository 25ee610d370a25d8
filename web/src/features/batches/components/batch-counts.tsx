import type { Batch } from '@rowmill/contract';
import { rateWords, timeLeftWords, waitingRows } from '../../../lib/batch-words.ts';
import { formatNumber } from '../../../lib/format.ts';

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
    ['Answered', formatNumber(batch.answered)],
    ['Failed', formatNumber(batch.failed)],
    ['Waiting', formatNumber(waitingRows(batch))],
    ['Charged', formatNumber(batch.charged)],
    ['Held', formatNumber(batch.held)],
    ...(isRunning
      ? ([
          ['Rate', rateWords(batch.rows_per_minute)],
          ['Time left', leftOf(batch)],
        ] as const)
      : []),
  ];
}

function settledFigures(batch: Batch, { answered, failed, charged, returned }: NonNullable<Batch['receipt']>): Figure[] {
  const unasked = waitingRows(batch);
  return [
    ['Answered', formatNumber(answered)],
    ['Failed', formatNumber(failed)],
    ...(unasked > 0 ? ([['Not asked', formatNumber(unasked)]] as const) : []),
    ['Charged', formatNumber(charged)],
    ['Returned', formatNumber(returned)],
  ];
}

function leftOf({ seconds_left }: Batch): string {
  return seconds_left === null ? 'Not known yet' : timeLeftWords(seconds_left);
}
