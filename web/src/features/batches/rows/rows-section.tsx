import type { Batch, RowFilter } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { waitingRows } from '../../../entities/batch/description.ts';
import { formatNumber } from '../../../lib/format.ts';
import { oneOf, searchText, useSearchState } from '../../../lib/hooks/use-search-state.ts';
import * as texts from '../../../texts/batches.ts';
import { Button } from '../../../ui/button.tsx';
import { SearchField } from '../../../ui/form/search-field.tsx';
import { StaleWhileError } from '../../../ui/stale-while-error.tsx';
import { type RowView, rowsQuery } from '../api.ts';
import styles from './batch-rows.module.css';
import { RowDialog } from './row-dialog.tsx';
import { RowGrid, rowElementId } from './row-grid.tsx';

const filterLabels: Record<RowFilter, string> = {
  all: texts.all,
  waiting: texts.notRun,
  answered: texts.answered,
  failed: texts.failed,
};

const rowFilters = Object.keys(filterLabels) as RowFilter[];
const rowState = { rows: oneOf(rowFilters, 'all'), search: searchText };
const inPlace = { replace: true, preventScrollReset: true };

/** The rows of a batch with filter and search. A row opens in a dialog. */
export function RowsSection({ batch }: { batch: Batch }) {
  const [{ rows: filter, search }, show] = useSearchState(rowState);
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
      <search className={styles.tools}>
        <SearchField
          label={texts.searchRows}
          value={search}
          onSearch={(text) => show({ search: text }, inPlace)}
        />
        <fieldset className={styles.filters}>
          <legend>{texts.show}</legend>
          {rowFilters.map((name) => (
            <Button
              key={name}
              variant="secondary"
              aria-pressed={name === filter}
              onClick={() => show({ rows: name }, inPlace)}
            >
              {texts.filterWithCount({
                filter: filterLabels[name],
                rows: formatNumber(counts[name]),
              })}
            </Button>
          ))}
        </fieldset>
      </search>
      <RowBrowser key={`${filter} ${search}`} batch={batch} view={view} />
    </section>
  );
}

/** Browsers cannot scroll beyond about 17 million pixels. Search, filters and downloads reach the other rows. */
const maximumListed = 300_000;

function RowBrowser({ batch, view }: { batch: Batch; view: RowView }) {
  const firstPage = useQuery(rowsQuery(view, 0));
  const [active, setActive] = useState(0);
  const [opened, setOpened] = useState<number | null>(null);
  /** The browser returns the focus to the row that was opened first; it belongs to the row read last. */
  function closeDialog() {
    const last = opened ?? 0;
    setOpened(null);
    setActive(last);
    requestAnimationFrame(() => document.getElementById(rowElementId(last))?.focus());
  }
  return (
    <StaleWhileError query={firstPage}>
      {({ total }) => {
        const listed = Math.min(total, maximumListed);
        return (
          <>
            <p className="muted" role="status">
              {describeMatches(total, listed)}
            </p>
            {listed > 0 && (
              <RowGrid
                view={view}
                total={listed}
                active={active}
                onActive={setActive}
                onOpen={setOpened}
              />
            )}
            {opened !== null && (
              <RowDialog
                batch={batch}
                view={view}
                index={opened}
                total={listed}
                onIndex={setOpened}
                onClose={closeDialog}
              />
            )}
          </>
        );
      }}
    </StaleWhileError>
  );
}

function describeMatches(total: number, listed: number): string {
  if (total === 0) return texts.noRowsMatch;
  if (total > listed)
    return texts.onlyFirstListed({ rows: formatNumber(total), listed: formatNumber(listed) });
  return texts.rowCount(total, formatNumber(total));
}
