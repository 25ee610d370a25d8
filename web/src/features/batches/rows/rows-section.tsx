import type { Batch } from '@rowmill/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useCallback, useMemo, useState } from 'react';
import { waitingRows } from '../../../entities/batch/description.ts';
import { arrange } from '../../../entities/row/row-columns.tsx';
import { RowsNotLoaded } from '../../../entities/row/rows-not-loaded.tsx';
import { useColumnView } from '../../../entities/row/use-column-view.ts';
import { formatNumber } from '../../../lib/format.ts';
import { useIsPhone, useMediaQuery } from '../../../lib/hooks/use-media-query.ts';
import { useSearchState } from '../../../lib/hooks/use-search-state.ts';
import * as texts from '../../../texts/batches.ts';
import { Button } from '../../../ui/button.tsx';
import type { ColumnView } from '../../../ui/grid/column-view.ts';
import { DataGrid } from '../../../ui/grid/data-grid.tsx';
import type { Cell } from '../../../ui/grid/grid-cells.ts';
import { StaleWhileError } from '../../../ui/stale-while-error.tsx';
import { type Row, type RowView, rowsQuery } from '../api.ts';
import styles from './batch-rows.module.css';
import { FilterPanel } from './filter-panel.tsx';
import { judgementOfKey, useJudge } from './judgements.tsx';
import { cardColumn } from './row-card.tsx';
import { columnsOf, filteredColumns, useRowShape } from './row-columns.tsx';
import { RowFilters } from './row-filters.tsx';
import { useRowPages } from './row-pages.ts';
import { RowPanel } from './row-panel.tsx';
import {
  countOf,
  noRows,
  type RowChoice,
  SelectionBar,
  selectColumn,
  useRowSelection,
} from './row-selection.tsx';
import { RowTools } from './row-tools.tsx';
import { conditionsOf, nextSort, rowState, searchOf, sortOf, textOf } from './row-view.ts';
import { copyCells, useOpenRow } from './use-row-grid.ts';

const inPlace = { replace: true, preventScrollReset: true };
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
  const onLink = useCallback(
    (number: number | null) => show({ row: number ?? 0 }, inPlace),
    [show],
  );
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
      <SelectionBar
        selected={selected}
        found={found}
        offersFound={isPhone && total !== batch.rows}
        onSelected={onSelected}
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

/** A filter renders new column heads, and the focused button is gone: the current cell gets the focus. */
function returnFocus(button: HTMLElement): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    const cell = document.querySelector<HTMLElement>('[role=grid] [tabindex="0"]');
    (button.isConnected ? button : cell)?.focus();
  });
}

interface BrowserProps {
  batch: Batch;
  view: RowView;
  total: number;
  isLoading: boolean;
  columns: ReturnType<typeof columnsOf>;
  columnView: ColumnView;
  onColumnView: (change: Partial<ColumnView>) => void;
  selected: RowChoice;
  onSelected: (choice: RowChoice) => void;
  found: RowChoice['found'];
  linked: number | null;
  onLink: (row: number | null) => void;
  onSort: (column: string) => void;
  onOpenFilter: (column: string, button: HTMLElement) => void;
  onShowAll: () => void;
}

function RowBrowser(props: BrowserProps) {
  const { batch, view, total, columnView, onColumnView, selected, onSelected, linked, onLink } =
    props;
  const isPhone = useIsPhone();
  const shape = useRowShape(batch);
  const rowHeight = useRowHeight(isPhone, columnView.isWrapped);
  const columns = useMemo(() => {
    const select = selectColumn(selected, { found: props.found, onSelected });
    // A card leaves no room for a box until there is something to untick.
    if (isPhone) return countOf(selected) > 0 ? [select, cardColumn(shape)] : [cardColumn(shape)];
    return [select, ...arrange(props.columns, columnView)];
  }, [isPhone, shape, props.columns, props.found, columnView, selected, onSelected]);
  const { rowAt, failedPages, onVisible } = useRowPages(view, total);
  const { active, opened, moveTo, close, open } = useOpenRow({ batch, linked, onLink });
  const onToggle = useRowSelection({ rowAt, selected, onSelected });
  const onOpen = useCallback((row: number) => open(row), [open]);
  const judge = useJudge(batch.id);
  /** J and K move as down and up. R, W and L judge a row and go to the next one. */
  function onKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, { row, column }: Cell): boolean {
    if (ctrlKey || metaKey || altKey) return false;
    const judgement = judgementOfKey(key);
    const judgedRow = rowAt(row);
    if (key === 'Escape' && opened !== null) close();
    else if (key === 'j' && row < total - 1) moveTo({ row: row + 1, column });
    else if (key === 'k' && row > 0) moveTo({ row: row - 1, column });
    else if (judgement && judgedRow?.state === 'answered') {
      void judge(judgedRow, judgement);
      moveTo({ row: Math.min(row + 1, total - 1), column });
    } else return false;
    return true;
  }
  return (
    <>
      <div className={total > 0 ? 'sr-only' : styles.note}>
        <p role="status">{!props.isLoading && describeMatches(total)}</p>
        {total === 0 && !props.isLoading && batch.rows > 0 && (
          <Button variant="secondary" onClick={props.onShowAll}>
            {texts.showAllRows}
          </Button>
        )}
      </div>
      <RowsNotLoaded pages={failedPages} />
      {total > 0 && (
        <div className={styles.browser}>
          <DataGrid<Row>
            label={texts.rows}
            columns={columns}
            total={total}
            rowAt={rowAt}
            rowHeight={rowHeight}
            isWrapped={columnView.isWrapped}
            hasHiddenHead={isPhone}
            active={active}
            onActive={moveTo}
            current={opened}
            onOpen={onOpen}
            onVisible={onVisible}
            onCopy={(range) => void copyCells(view, columns, range)}
            onWidth={(column, width) =>
              onColumnView({ widths: { ...columnView.widths, [column]: width } })
            }
            onKey={onKey}
            onToggle={onToggle}
            sort={view.sort}
            onSort={props.onSort}
            filtered={view.search.conditions.map(({ column }) => column)}
            onFilter={props.onOpenFilter}
          />
          {opened !== null && (
            <RowPanel
              batch={batch}
              index={opened}
              row={rowAt(opened)}
              total={total}
              onIndex={(row) => moveTo({ row, column: active.column })}
              onClose={close}
              onLink={onLink}
            />
          )}
        </div>
      )}
    </>
  );
}

/** In pixels: three lines when the text is wrapped, and higher for touch. */
function useRowHeight(isPhone: boolean, isWrapped: boolean): number {
  const isTouch = useMediaQuery('(pointer: coarse)');
  if (isPhone) return 76;
  if (isWrapped) return 72;
  return isTouch ? 44 : 38;
}

function describeMatches(total: number): string {
  return total === 0 ? texts.noRowsMatch : texts.rowCount(total, formatNumber(total));
}
