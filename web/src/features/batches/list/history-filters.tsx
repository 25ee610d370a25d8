import {
  type AnswerOf,
  type BatchState,
  batchStates,
  type getProcessedFiles,
} from '@rowmill/contract';
import { useCallback } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/batches.ts';
import { batchStates as stateNames } from '../../../texts/entities.ts';
import { ButtonLink } from '../../../ui/button.tsx';
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
        label={texts.state}
        choices={choicesOf(counts, view.state)}
        chosen={view.state ?? 'all'}
        onChoose={(state) => onShow({ state: state === 'all' ? null : state, start: 0 })}
      />
      <div className={styles.search}>
        <SearchField
          label={texts.search}
          hasHiddenLabel
          placeholder={texts.searchHint}
          value={view.search}
          onSearch={onSearch}
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
    all: shown(texts.all, total),
    ...Object.fromEntries(
      states.map((state) => [state, shown(stateNames[state], counts?.[state])]),
    ),
  } as Record<BatchState | 'all', ReturnType<typeof shown>>;
}
