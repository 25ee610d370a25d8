import { type BatchState, batchStates } from '@rowmill/contract';
import { useCallback } from 'react';
import { batchStateNames } from '../../../entities/batch/description.ts';
import * as texts from '../../../texts/batches.ts';
import { ChoiceField } from '../../../ui/form/choice-field.tsx';
import { SearchField } from '../../../ui/form/search-field.tsx';
import type { BatchView } from '../api.ts';

const choices = [
  ['', texts.all],
  ...batchStates.map((state) => [state, batchStateNames[state]] as const),
] as const;

interface Props {
  view: BatchView;
  onShow: (changes: Partial<BatchView>) => void;
}

export function HistoryTools({ view, onShow }: Props) {
  const search = useCallback((value: string) => onShow({ search: value }), [onShow]);
  return (
    <search className="batch-tools">
      <SearchField label={texts.search} value={view.search} onSearch={search} />
      <ChoiceField
        label={texts.state}
        value={view.state ?? ''}
        onChange={({ target }) => onShow({ state: (target.value || null) as BatchState | null })}
        choices={choices}
      />
    </search>
  );
}
