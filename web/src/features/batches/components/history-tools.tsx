import { type BatchState, batchStates } from '@rowmill/contract';
import { useCallback, useId } from 'react';
import { stateWords } from '../../../lib/batch-words.ts';
import * as texts from '../../../texts/batches.ts';
import { SearchField } from '../../../ui/search-field.tsx';
import type { BatchView } from '../api.ts';

interface Props {
  view: BatchView;
  onShow: (changes: Partial<BatchView>) => void;
}

export function HistoryTools({ view, onShow }: Props) {
  const id = useId();
  const search = useCallback((value: string) => onShow({ search: value }), [onShow]);
  return (
    <search className="batch-tools">
      <SearchField label={texts.search} value={view.search} onSearch={search} />
      <div className="field">
        <label htmlFor={id}>{texts.state}</label>
        <select
          id={id}
          value={view.state ?? ''}
          onChange={({ target }) => onShow({ state: (target.value || null) as BatchState | null })}
        >
          <option value="">{texts.all}</option>
          {batchStates.map((state) => (
            <option key={state} value={state}>
              {stateWords[state]}
            </option>
          ))}
        </select>
      </div>
    </search>
  );
}
