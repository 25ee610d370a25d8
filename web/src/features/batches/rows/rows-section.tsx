import type { Batch, RowFilter } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { waitingRows } from '../../../entities/batch/description.ts';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';
import { SearchField } from '../../../ui/form/search-field.tsx';
import { StaleWhileError } from '../../../ui/stale-while-error.tsx';
import { type RowView, rowsQuery } from '../api.ts';
import { RowDialog } from './row-dialog.tsx';
import { lineId, RowsGrid } from './rows-grid.tsx';
import { rowFilters, useRowView } from './use-row-view.ts';

const filterWords: Record<RowFilter, string> = {
  all: texts.all,
  waiting: texts.notRun,
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
              {texts.filterWithCount({
                filter: filterWords[name],
                rows: formatNumber(counts[name]),
              })}
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

/** Browsers cannot scroll further than some 17 million points; lines beyond are found by filter, search or download. */
const mostLines = 300_000;

interface Props {
  view: RowView;
  columns: readonly string[];
  outputs: readonly string[];
}

export function RowsBrowser({ view, columns, outputs }: Props) {
  const firstPage = useQuery(rowsQuery(view, 0));
  const [active, setActive] = useState(0);
  const [shown, setShown] = useState<number | null>(null);
  /** The browser gives the focus back to the line that was opened; the reader may have gone on from there. */
  function close() {
    const last = shown ?? 0;
    setShown(null);
    setActive(last);
    requestAnimationFrame(() => document.getElementById(lineId(last))?.focus());
  }
  return (
    <StaleWhileError query={firstPage}>
      {({ total }) => {
        const lines = Math.min(total, mostLines);
        return (
          <>
            <p className="muted" role="status">
              {foundWords(total, lines)}
            </p>
            {lines > 0 && (
              <RowsGrid
                view={view}
                total={lines}
                active={active}
                onActive={setActive}
                onOpen={setShown}
              />
            )}
            {shown !== null && (
              <RowDialog
                view={view}
                index={shown}
                total={lines}
                columns={columns}
                outputs={outputs}
                onIndex={setShown}
                onClose={close}
              />
            )}
          </>
        );
      }}
    </StaleWhileError>
  );
}

function foundWords(total: number, lines: number): string {
  if (total === 0) return texts.noRowsMatch;
  if (total > lines)
    return texts.onlyFirstListed({ rows: formatNumber(total), listed: formatNumber(lines) });
  return texts.rowCount(total, formatNumber(total));
}
