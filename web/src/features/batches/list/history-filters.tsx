import {
  type AnswerOf,
  type BatchState,
  batchOrders,
  batchStates,
  type getProcessedFiles,
} from '@rowmill/contract';
import { useCallback } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import { oneOf } from '../../../lib/hooks/use-search-state.ts';
import { paths } from '../../../lib/paths.ts';
import { all, search, state as stateLabel } from '../../../texts/batches/batch.ts';
import * as texts from '../../../texts/batches/list.ts';
import { batchStates as stateNames } from '../../../texts/entities.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/form/choice-field.tsx';
import { SearchField } from '../../../ui/form/search-field.tsx';
import { Segments } from '../../../ui/form/segments.tsx';
import type { BatchView } from '../api.ts';
import styles from './history.module.css';

type Counts = AnswerOf<typeof getProcessedFiles>['counts'];

interface Props {
  view: BatchView;
  counts: Counts | undefined;
  onShow: (changes: Partial<BatchView>) => void;
}

export function HistoryFilters({ view, counts, onShow }: Props) {
  const onSearch = useCallback((value: string) => onShow({ search: value }), [onShow]);
  return (
    <search className={styles.tools}>
      <Segments
        label={stateLabel}
        choices={choicesOf(counts, view.state)}
        chosen={view.state ?? 'all'}
        onChoose={(state) => onShow({ state: state === 'all' ? null : state, start: 0 })}
      />
      <div className={styles.search}>
        <SearchField
          label={search}
          hasHiddenLabel
          placeholder={texts.searchHint}
          value={view.search}
          onSearch={onSearch}
        />
      </div>
      {/* Cards have no heads to sort by. */}
      <div className={styles.order}>
        <ChoiceField
          label={texts.sortBy}
          hasHiddenLabel
          choices={Object.entries(texts.batchOrders)}
          value={view.sort}
          onChange={({ target }) =>
            onShow({ sort: oneOf(batchOrders, 'newest')(target.value), start: 0 })
          }
        />
      </div>
      <ButtonLink to={paths.ask}>{texts.newBatch}</ButtonLink>
    </search>
  );
}

/** The states that occur, with their counts. */
function choicesOf(counts: Counts | undefined, chosen: BatchState | null) {
  const states = batchStates.filter((state) => counts?.[state] || state === chosen);
  const total = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  const shown = (label: string, count: number | undefined) => (
    <>
      {label}
      {count !== undefined && <span className={styles.count}>{formatNumber(count)}</span>}
    </>
  );
  return {
    all: shown(all, total),
    ...Object.fromEntries(
      states.map((state) => [state, shown(stateNames[state], counts?.[state])]),
    ),
  } as Record<BatchState | 'all', ReturnType<typeof shown>>;
}
