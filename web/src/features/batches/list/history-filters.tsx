import { type BatchState, batchStates } from '@rowmill/contract';
import { useCallback } from 'react';
import { batchStateNames } from '../../../entities/batch/description.ts';
import * as texts from '../../../texts/batches.ts';
import { ChoiceField } from '../../../ui/form/choice-field.tsx';
import { SearchField } from '../../../ui/form/search-field.tsx';
import type { BatchView } from '../api.ts';
import styles from './history.module.css';

const stateChoices = [
  ['', texts.all],
  ...batchStates.map((state) => [state, batchStateNames[state]] as const),
] as const;

interface Props {
  view: BatchView;
  onShow: (changes: Partial<BatchView>) => void;
}

export function HistoryFilters({ view, onShow }: Props) {
  const onSearch = useCallback((value: string) => onShow({ search: value }), [onShow]);
  return (
    <search className={styles.filters}>
      <SearchField label={texts.search} value={view.search} onSearch={onSearch} />
      <ChoiceField
        label={texts.state}
        value={view.state ?? ''}
        onChange={({ target }) =>
          onShow({ state: (target.value || null) as BatchState | null, start: 0 })
        }
        choices={stateChoices}
      />
    </search>
  );
}
