import type { Batch } from '@rowmill/contract';
import { Link } from 'react-router';
import {
  describeProgress,
  describeRate,
  describeTimeLeft,
} from '../../../entities/batch/description.ts';
import { ProgressBar } from '../../../entities/batch/progress-bar.tsx';
import { StateBadge } from '../../../entities/batch/state-badge.tsx';
import { formatNumber, formatTime } from '../../../lib/format.ts';
import { batchPath } from '../../../lib/paths.ts';
import * as texts from '../../../texts/batches.ts';
import { BatchActions } from '../actions/batch-actions.tsx';
import { PauseNotice } from '../pause-notice.tsx';
import styles from './history.module.css';

const columns = ['batch', 'state', 'progress', 'charged', 'actions'] as const;

interface Props {
  batches: readonly Batch[];
  onDeleted: () => void;
}

/** A table on a wide screen, a stack of cards on a narrow one. */
export function BatchTable({ batches, onDeleted }: Props) {
  return (
    <table className={`${styles.table} stacking`}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" className={column === 'charged' ? 'amount' : undefined}>
              {texts.batchColumns[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {batches.map((batch) => (
          <BatchRow key={batch.id} batch={batch} onDeleted={onDeleted} />
        ))}
      </tbody>
    </table>
  );
}

function BatchRow({ batch, onDeleted }: { batch: Batch; onDeleted: () => void }) {
  return (
    <tr>
      <th scope="row">
        <Link to={batchPath(batch.id)} title={batch.name}>
          <span className="clamp">{batch.name}</span>
        </Link>
        <time className="muted" dateTime={batch.created_at}>
          {formatTime(batch.created_at)}
        </time>
        {batch.started_by && <span className="muted">{texts.startedBy(batch.started_by)}</span>}
      </th>
      <td>
        <StateBadge state={batch.state} />
      </td>
      <td className={styles.progress}>
        <ProgressBar batch={batch} />
        <span>{describeProgress(batch)}</span>
        {batch.state === 'running' && (
          <span className="muted">
            {texts.rateAndTimeLeft({
              rate: describeRate(batch.rows_per_minute),
              left: describeTimeLeft(batch.seconds_left),
            })}
          </span>
        )}
        <PauseNotice batch={batch} />
      </td>
      <td data-label={texts.batchColumns.charged} className="amount">
        {formatNumber(batch.charged)}
      </td>
      <td>
        <BatchActions batch={batch} isSmall onDeleted={onDeleted} />
      </td>
    </tr>
  );
}
