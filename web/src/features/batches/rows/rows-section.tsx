import type { Batch } from '@rowmill/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { waitingRows } from '../../../entities/batch/description.ts';
import { useColumnView } from '../../../entities/row/use-column-view.ts';
import { useIsPhone } from '../../../lib/hooks/use-media-query.ts';
import { useSearchState } from '../../../lib/hooks/use-search-state.ts';
import * as texts from '../../../texts/batches/batch.ts';
import * as rowTexts from '../../../texts/batches/rows.ts';
import { StaleWhileError } from '../../../ui/stale-while-error.tsx';
import { useRunAgain } from '../actions/use-run-again.ts';
import { type Row, type RowView, rowsQuery } from '../api.ts';
import styles from './batch-rows.module.css';
import { FilterPanel } from './filter-panel.tsx';
import { RowBrowser } from './row-browser.tsx';
import { columnsOf, filteredColumns, useRowShape } from './row-columns.tsx';
import { RowFilters } from './row-filters.tsx';
import { noRows, type RowChoice, SelectionBar } from './row-selection.tsx';
import { RowTools } from './row-tools.tsx';
import { conditionsOf, nextSort, rowState, searchOf, sortOf, textOf } from './row-view.ts';
import { UnsavedJudgements } from './save-judgements.tsx';
import { inPlace, useRowLink } from './use-row-grid.ts';

const everyRow = { rows: 'all', search: '', judged: null, where: '' } as const;

interface Props {
  batch: Batch;
  selected: RowChoice;
  onSelected: (choice: RowChoice) => void;
}

/** The rows of a batch as a grid with filters and search. A row opens beside it. */
export function RowsSection({ batch, selected, onSelected }: Props) {
  const [shown, show] = useSearchState(rowState);
  const { rows: filter, search, row, judged, sort: sorted, where } = shown;
  const [columnView, changeColumnView] = useColumnView(batch.sheet_id);
  const [panel, setPanel] = useState<{ column: string; anchor: HTMLElement } | null>(null);
  const view = useMemo(
    (): RowView => ({
      id: batch.id,
      search: searchOf({ rows: filter, search, judged, where }),
      sort: sortOf(sorted),
      isRunning: batch.state === 'running',
      isEnded: batch.ended_at !== null,
    }),
    [batch.id, batch.state, batch.ended_at, filter, search, judged, where, sorted],
  );
  // The earlier rows stay until the new ones arrive.
  const firstPage = useQuery({ ...rowsQuery(view, 0), placeholderData: keepPreviousData });
  const isLoading = firstPage.isPlaceholderData;
  const counts = {
    all: batch.rows,
    waiting: waitingRows(batch),
    answered: batch.answered,
    failed: batch.failed,
    skipped: batch.skipped,
  };
  /** “All that are found” refers to one search, so another search clears it. */
  function change(changes: Partial<typeof shown>) {
    if (selected.found) onSelected(noRows);
    show(changes, inPlace);
  }
  const onLink = useRowLink(show);
  const runAgain = useRunAgain(batch);
  const conditions = useMemo(() => conditionsOf(where), [where]);
  const columns = useColumns(batch, firstPage.data?.rows);
  const filtered = useMemo(() => filteredColumns(columns), [columns]);
  const total = isLoading ? undefined : firstPage.data?.total;
  const isPhone = useIsPhone();
  const found = useMemo(
    () => (total === undefined ? null : { search: view.search, count: total }),
    [total, view],
  );
  const openFilter = (column: string, anchor: HTMLElement) => setPanel({ column, anchor });
  return (
    <section className={styles.section} aria-label={texts.rows} aria-busy={isLoading}>
      <RowTools
        counts={counts}
        isEnded={batch.ended_at !== null}
        filter={filter}
        search={search}
        columns={columns}
        columnView={columnView}
        onFilter={(rows) => change({ rows })}
        onSearch={(text) => change({ search: text })}
        onColumnView={changeColumnView}
        onOpenFilter={(button) => openFilter(conditions[0]?.column ?? 'sheet 0', button)}
      />
      <RowFilters
        batch={batch}
        columns={filtered}
        filter={filter}
        judged={judged}
        conditions={conditions}
        found={search || conditions.length > 0 ? firstPage.data?.total : undefined}
        onFilter={(rows) => change({ rows })}
        onJudged={(judged) => change({ judged })}
        onConditions={(conditions) => change({ where: textOf(conditions) })}
      />
      {panel && (
        <FilterPanel
          {...panel}
          view={view}
          columns={filtered}
          conditions={conditions}
          sort={view.sort}
          onConditions={(conditions) => change({ where: textOf(conditions) })}
          onSort={(sort) => show({ sort }, inPlace)}
          onClose={() => {
            setPanel(null);
            returnFocus(panel.anchor);
          }}
        />
      )}
      <StaleWhileError query={firstPage}>
        {({ total }) => (
          <RowBrowser
            key={`${filter} ${search} ${judged} ${sorted} ${where}`}
            batch={batch}
            view={view}
            total={total}
            isLoading={isLoading}
            columns={columns}
            columnView={columnView}
            onColumnView={changeColumnView}
            selected={selected}
            onSelected={onSelected}
            found={found}
            linked={row || null}
            onLink={onLink}
            onSort={(column) => show({ sort: nextSort(view.sort, column) }, inPlace)}
            onOpenFilter={openFilter}
            onShowAll={() => change(everyRow)}
          />
        )}
      </StaleWhileError>
      <p className={styles.printNote}>{rowTexts.printHasRowsInView}</p>
      <UnsavedJudgements id={batch.id} />
      <SelectionBar
        selected={selected}
        found={found}
        offersFound={isPhone && total !== batch.rows}
        onSelected={onSelected}
        onRunAgain={batch.ended_at ? runAgain : undefined}
      />
    </section>
  );
}

/** Column widths follow the first rows that were loaded, so they do not change while scrolling. */
function useColumns(batch: Batch, latest: readonly Row[] = []) {
  const shape = useRowShape(batch);
  const [first, setFirst] = useState(latest);
  if (first.length === 0 && latest.length > 0) setFirst(latest);
  return useMemo(() => columnsOf(shape, { first, latest }), [shape, first, latest]);
}

/** A filter renders new heads and removes the focused button: the current cell gets the focus. */
function returnFocus(button: HTMLElement): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    const cell = document.querySelector<HTMLElement>('[role=grid] [tabindex="0"]');
    (button.isConnected ? button : cell)?.focus();
  });
}
