import { answerMarks, type Batch, type RowFilter } from '@rowmill/contract';
import { Flag } from 'lucide-react';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';
import styles from './marks.module.css';

interface Props {
  batch: Pick<Batch, 'marked' | 'mark_counts'>;
  filter: RowFilter;
  onFilter: (filter: RowFilter) => void;
}

/** How many rows have each mark. Each count is a filter, and pressing it again shows all rows. */
export function MarkFilters({ batch, filter, onFilter }: Props) {
  const { marked, mark_counts: counts } = batch;
  const shown = answerMarks.filter((mark) => counts[mark] > 0 || mark === filter);
  if (marked === 0 && filter !== 'marked' && shown.length === 0) return null;
  const labels: [RowFilter, string][] = [
    ['marked', texts.markedRows(formatNumber(marked))],
    ...shown.map((mark): [RowFilter, string] => [mark, texts.markCounts[mark](counts[mark])]),
  ];
  return (
    <fieldset className={styles.filters}>
      <legend className="sr-only">{texts.marks}</legend>
      <Flag aria-hidden size={16} />
      {labels.map(([name, label]) => (
        <button
          key={name}
          type="button"
          className={styles.filter}
          aria-pressed={name === filter}
          onClick={() => onFilter(name === filter ? 'all' : name)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
