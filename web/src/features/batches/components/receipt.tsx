import type { Batch } from '@rowmill/contract';
import { formatNumber } from '../../../lib/format.ts';

const lines = [
  ['answered', 'Answered'],
  ['failed', 'Failed'],
  ['charged', 'Charged'],
  ['returned', 'Returned'],
] as const;

/** What came of an ended batch, in rows and in submissions. */
export function Receipt({ receipt }: { receipt: NonNullable<Batch['receipt']> }) {
  return (
    <dl className="batch-receipt">
      {lines.map(([key, label]) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>{formatNumber(receipt[key])}</dd>
        </div>
      ))}
    </dl>
  );
}
