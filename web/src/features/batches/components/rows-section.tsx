import type { Batch, RowFilter } from '@rowmill/contract';
import { waitingRows } from '../../../lib/batch-words.ts';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';
import { SearchField } from '../../../ui/search-field.tsx';
import { rowFilters, useRowView } from '../use-row-view.ts';
import { RowsBrowser } from './rows-browser.tsx';

const filterWords: Record<RowFilter, string> = {
  all: texts.all,
  waiting: texts.waiting,
  answered: texts.answered,
  failed: texts.failed,
};

/** The rows of a batch: filtered, searched, and one of them in full. */
export function RowsSection({ batch }: { batch: Batch }) {
  const { filter, search, showFilter, showSearch } = useRowView();
  const counts = {
    all: batch.rows,
    waiting: waitingRows(batch),
    answered: batch.answered,
    failed: batch.failed,
  };
  const view = { id: batch.id, filter, search, isRunning: batch.state === 'running' };
  return (
    <section className="card" aria-labelledby="rows-title">
      <h2 id="rows-title">{texts.rows}</h2>
      <search className="rows-tools">
        <SearchField label={texts.searchRows} value={search} onSearch={showSearch} />
        <fieldset className="rows-filters">
          <legend>{texts.show}</legend>
          {rowFilters.map((name) => (
            <button
              key={name}
              type="button"
              className="button secondary"
              aria-pressed={name === filter}
              onClick={() => showFilter(name)}
            >
              {texts.filterOf({ words: filterWords[name], rows: formatNumber(counts[name]) })}
            </button>
          ))}
        </fieldset>
      </search>
      <RowsBrowser
        key={`${filter} ${search}`}
        view={view}
        columns={batch.columns}
        outputs={batch.outputs}
      />
    </section>
  );
}
