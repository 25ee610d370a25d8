import {
  answerMarks,
  type Batch,
  type Judgement,
  judgements,
  type RowCondition,
  type RowFilter,
} from '@rowmill/contract';
import { Flag, X } from 'lucide-react';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches/batch.ts';
import * as rowTexts from '../../../texts/batches/rows.ts';
import { FilterButtons } from '../../../ui/form/filter-buttons.tsx';
import type { GridColumn } from '../../../ui/grid/grid-layout.ts';
import type { Row } from '../api.ts';
import styles from './row-filters.module.css';

interface Props {
  batch: Batch;
  columns: readonly GridColumn<Row>[];
  filter: RowFilter;
  judged: Judgement | null;
  conditions: readonly RowCondition[];
  /** How many rows a search or a condition finds. The other filters have their counts. */
  found: number | undefined;
  onFilter: (filter: RowFilter) => void;
  onJudged: (judged: Judgement | null) => void;
  onConditions: (conditions: RowCondition[]) => void;
}

/**
 * A line of the conditions of columns, and of marks and judgements with their counts. It is always
 * there: the first mark of a running batch, or the first judgement, must not move the grid.
 */
export function RowFilters(props: Props) {
  const { batch, columns, filter, judged, conditions, found } = props;
  const { onFilter, onJudged, onConditions } = props;
  const marks = markFilters(batch, filter);
  const judgements = judgementFilters(batch, judged);
  const isEmpty = marks.length + judgements.length + conditions.length === 0;
  return (
    <div className={`scrolls ${styles.line}`}>
      {isEmpty && <span className={styles.none}>{rowTexts.noMarks}</span>}
      {conditions.map((condition) => (
        <Condition
          key={condition.column}
          text={rowTexts.condition[condition.is](
            columns.find(({ id }) => id === condition.column)?.label ?? condition.column,
            condition.value,
          )}
          onRemove={() => onConditions(conditions.filter((other) => other !== condition))}
        />
      ))}
      {marks.length > 0 && (
        <FilterButtons
          label={texts.marks}
          icon={Flag}
          filters={marks}
          chosen={filter}
          onChoose={(name) => onFilter(name === filter ? 'all' : name)}
        />
      )}
      {judgements.length > 0 && (
        <FilterButtons
          label={rowTexts.judgement}
          filters={judgements}
          chosen={judged}
          onChoose={(name) => onJudged(name === judged ? null : name)}
        />
      )}
      {found !== undefined && (
        // The status of the rows says it too.
        <span aria-hidden className={styles.found}>
          {rowTexts.rowsFound(formatNumber(found), formatNumber(batch.rows))}
        </span>
      )}
    </div>
  );
}

function Condition({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      className={styles.condition}
      aria-label={rowTexts.removeFilter(text)}
      onClick={onRemove}
    >
      <span className="cut">{text}</span>
      <X aria-hidden size={14} />
    </button>
  );
}

/** How many rows have each mark. How many have any is left out when there is only one kind. */
function markFilters({ marked, mark_counts: counts }: Batch, filter: RowFilter) {
  const shown = answerMarks.filter((mark) => counts[mark] > 0 || mark === filter);
  if (marked === 0 && filter !== 'marked' && shown.length === 0) return [];
  return [
    ...(shown.length === 1 && filter !== 'marked'
      ? []
      : [['marked', texts.markedRows(formatNumber(marked))] as const]),
    ...shown.map((mark) => [mark, texts.markCounts[mark](counts[mark])] as const),
  ];
}

/** How many answers have this judgement. */
function judgementFilters({ judged }: Batch, chosen: Judgement | null) {
  return judgements
    .filter((name) => judged[name] > 0 || name === chosen)
    .map((name) => [name, rowTexts.judgedRows(name, formatNumber(judged[name]))] as const);
}
