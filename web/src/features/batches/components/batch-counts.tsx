import type { Batch } from '@rowmill/contract';
import { rateWords, timeLeftWords, waitingRows } from '../../../lib/batch-words.ts';
import { formatNumber } from '../../../lib/format.ts';

/** The figures of a batch as they stand now. */
export function BatchCounts({ batch }: { batch: Batch }) {
  const isRunning = batch.state === 'running';
  const figures = [
    ['Answered', formatNumber(batch.answered)],
    ['Failed', formatNumber(batch.failed)],
    ['Waiting', formatNumber(waitingRows(batch))],
    ['Charged', formatNumber(batch.charged)],
    ['Held', formatNumber(batch.held)],
    ...(isRunning ? [['Rate', rateWords(batch.rows_per_minute)] as const, ['Time left', leftOf(batch)] as const] : []),
  ] as const;
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

function leftOf({ seconds_left }: Batch): string {
  return seconds_left === null ? 'Not known yet' : timeLeftWords(seconds_left);
}
