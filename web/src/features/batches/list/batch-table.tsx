import type { Batch, BatchOrder } from '@rowmill/contract';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { BatchLink } from '../../../entities/batch/batch-link.tsx';
import {
  describePause,
  describeProgress,
  describeWait,
} from '../../../entities/batch/description.ts';
import { ProgressBar } from '../../../entities/batch/progress-bar.tsx';
import { StateBadge } from '../../../entities/batch/state-badge.tsx';
import { formatNumber, formatShortTime, formatTime } from '../../../lib/format.ts';
import { startedBy } from '../../../texts/batches/batch.ts';
import * as texts from '../../../texts/batches/list.ts';
import styles from './history.module.css';
import { RowMenu } from './row-menu.tsx';
import { SelectAll, type Selection } from './selection.tsx';

const columns = texts.batchColumns;

interface Props {
  batches: readonly Batch[];
  sort: BatchOrder;
  selection: Selection;
  onSort: (sort: BatchOrder) => void;
  onDeleted: () => void;
}

/** One line for each batch; cards on a narrow screen. */
export function BatchTable({ batches, selection, onDeleted, ...sorting }: Props) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">
            <SelectAll batches={batches} selection={selection} />
          </th>
          <th scope="col">
            <span className={styles.word}>{columns.state}</span>
          </th>
          <SortHead {...sorting} label={columns.name} orders={['name']} />
          <th scope="col">{columns.prompt}</th>
          <th scope="col">{columns.progress}</th>
          <th scope="col" className="amount">
            {columns.answered}
          </th>
          <SortHead {...sorting} label={columns.failed} orders={['failed']} isAmount />
          <SortHead {...sorting} label={columns.charged} orders={['charged']} isAmount />
          <SortHead {...sorting} label={columns.started} orders={['newest', 'oldest']} />
          <th scope="col">
            <span className="sr-only">{columns.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {batches.map((batch) => (
          <BatchRow key={batch.id} batch={batch} selection={selection} onDeleted={onDeleted} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  batch: Batch;
  selection: Selection;
  onDeleted: () => void;
}

function BatchRow({ batch, selection, onDeleted }: RowProps) {
  const pause = describePause(batch);
  const why = pause && pause.reason !== 'person' ? pause.why : describeWait(batch);
  return (
    <tr aria-selected={selection.has(batch.id)}>
      <td className={styles.select}>
        <label className={styles.box}>
          <input
            type="checkbox"
            aria-label={texts.selectBatch(batch.name)}
            checked={selection.has(batch.id)}
            onChange={() => selection.toggle(batch.id)}
          />
        </label>
      </td>
      <td className={styles.state}>
        <StateBadge state={batch.state} failed={batch.failed} isBrief wordClass={styles.word} />
      </td>
      <th scope="row" className={styles.name}>
        <BatchLink batch={batch} />
        {why && <span className={styles.why}>{why}</span>}
      </th>
      <td className={styles.prompt}>
        <span className="cut" title={batch.question}>
          {batch.question}
        </span>
      </td>
      <td className={styles.progress} title={describeProgress(batch)}>
        <ProgressBar batch={batch} />
      </td>
      <td className="amount" data-label={columns.answered}>
        {formatNumber(batch.answered)}
      </td>
      <td
        className={`amount ${batch.failed > 0 ? styles.failed : 'muted'}`}
        data-label={columns.failed}
      >
        {formatNumber(batch.failed)}
      </td>
      <td className="amount" data-label={columns.charged}>
        {formatNumber(batch.charged)}
      </td>
      <td className={styles.started}>
        <time
          className="muted"
          dateTime={batch.created_at}
          title={[formatTime(batch.created_at), batch.started_by && startedBy(batch.started_by)]
            .filter(Boolean)
            .join('. ')}
        >
          {formatShortTime(batch.created_at)}
        </time>
      </td>
      <td className={styles.actions}>
        <RowMenu batch={batch} onDeleted={onDeleted} />
      </td>
    </tr>
  );
}

interface SortHeadProps {
  label: string;
  /** The orders of this column; a press on the chosen one takes the next. */
  orders: readonly BatchOrder[];
  sort: BatchOrder;
  onSort: (sort: BatchOrder) => void;
  isAmount?: boolean;
}

const ascending: readonly BatchOrder[] = ['oldest', 'name'];

/** A column head that sorts the whole list on the server. */
function SortHead({ label, orders, sort, onSort, isAmount = false }: SortHeadProps) {
  const isChosen = orders.includes(sort);
  const next = orders[(orders.indexOf(sort) + 1) % orders.length] ?? 'newest';
  const isUp = ascending.includes(sort);
  const Icon = isUp ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      className={isAmount ? 'amount' : undefined}
      aria-sort={isChosen ? (isUp ? 'ascending' : 'descending') : undefined}
    >
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort(isChosen && orders.length === 1 ? 'newest' : next)}
      >
        {label}
        {isChosen && <Icon aria-hidden size={14} />}
      </button>
    </th>
  );
}
