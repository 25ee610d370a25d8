import { type Batch, judgements, rowFilters } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useCallback, useMemo } from 'react';
import { waitingRows } from '../../../entities/batch/description.ts';
import { formatNumber } from '../../../lib/format.ts';
import { useIsPhone, useMediaQuery } from '../../../lib/hooks/use-media-query.ts';
import {
  oneOf,
  pageStart,
  searchText,
  useSearchState,
} from '../../../lib/hooks/use-search-state.ts';
import * as texts from '../../../texts/batches.ts';
import { Button } from '../../../ui/button.tsx';
import { type ColumnView, useColumnView } from '../../../ui/grid/column-view.ts';
import { DataGrid } from '../../../ui/grid/data-grid.tsx';
import type { Cell } from '../../../ui/grid/grid-cells.ts';
import { Notice } from '../../../ui/notice.tsx';
import { StaleWhileError } from '../../../ui/stale-while-error.tsx';
import { type Row, type RowView, rowsQuery } from '../api.ts';
import styles from './batch-rows.module.css';
import { JudgementFilters, judgementOfKey, useJudge } from './judgements.tsx';
import { MarkFilters } from './mark-filters.tsx';
import { cardColumn } from './row-card.tsx';
import { arrange, columnsOf, useRowShape } from './row-columns.tsx';
import { RowPanel } from './row-panel.tsx';
import { selectColumn, useRowSelection } from './row-selection.tsx';
import { nextSort, sortOf, sortText } from './row-sort.ts';
import { RowTools } from './row-tools.tsx';
import { copyCells, useOpenRow, useRows } from './use-row-grid.ts';

/** `row` is the number of the open row, from 1; none is 0. */
const rowState = {
  rows: oneOf(rowFilters, 'all'),
  search: searchText,
  row: pageStart,
  judged: oneOf(judgements, null),
  sort: sortText,
};
const inPlace = { replace: true, preventScrollReset: true };

interface Props {
  batch: Batch;
  /** The numbers of the selected rows, from 0. */
  selected: readonly number[];
  onSelected: (rows: readonly number[]) => void;
}

/** The rows of a batch as a grid with filter and search. A row opens beside it. */
export function RowsSection({ batch, selected, onSelected }: Props) {
  const [{ rows: filter, search, row, judged, sort: sorted }, show] = useSearchState(rowState);
  const [columnView, changeColumnView] = useColumnView(batch.sheet_id);
  const sort = useMemo(() => sortOf(sorted), [sorted]);
  const view = { id: batch.id, filter, search, judged, sort, isRunning: batch.state === 'running' };
  const firstPage = useQuery(rowsQuery(view, 0));
  const counts = {
    all: batch.rows,
    waiting: waitingRows(batch),
    answered: batch.answered,
    failed: batch.failed,
  };
  const onLink = useCallback(
    (number: number | null) => show({ row: number ?? 0 }, inPlace),
    [show],
  );
  const shape = useRowShape(batch);
  const sample = firstPage.data?.rows;
  const columns = useMemo(() => columnsOf(shape, sample ?? []), [shape, sample]);
  return (
    <section className={styles.section} aria-label={texts.rows}>
      <RowTools
        counts={counts}
        isEnded={batch.ended_at !== null}
        filter={filter}
        search={search}
        columns={columns}
        columnView={columnView}
        selected={selected.length}
        onClearSelection={() => onSelected([])}
        onFilter={(rows) => show({ rows }, inPlace)}
        onSearch={(text) => show({ search: text }, inPlace)}
        onColumnView={changeColumnView}
      />
      <MarkFilters batch={batch} filter={filter} onFilter={(rows) => show({ rows }, inPlace)} />
      <JudgementFilters
        judged={batch.judged}
        filter={judged}
        onFilter={(name) => show({ judged: name }, inPlace)}
      />
      <StaleWhileError query={firstPage}>
        {({ total }) => (
          <RowBrowser
            key={`${filter} ${search} ${judged} ${sorted}`}
            batch={batch}
            view={view}
            total={total}
            columns={columns}
            columnView={columnView}
            onColumnView={changeColumnView}
            selected={selected}
            onSelected={onSelected}
            linked={row || null}
            onLink={onLink}
            onSort={(column) => show({ sort: nextSort(sort, column) }, inPlace)}
          />
        )}
      </StaleWhileError>
    </section>
  );
}

interface BrowserProps {
  batch: Batch;
  view: RowView;
  total: number;
  columns: ReturnType<typeof columnsOf>;
  columnView: ColumnView;
  onColumnView: (change: Partial<ColumnView>) => void;
  selected: readonly number[];
  onSelected: (rows: readonly number[]) => void;
  linked: number | null;
  onLink: (row: number | null) => void;
  onSort: (column: string) => void;
}

/** Browsers cannot scroll beyond about 17 million pixels. Search, filters and downloads reach the other rows. */
const maximumHeight = 15_000_000;

function RowBrowser(props: BrowserProps) {
  const { batch, view, columnView, onColumnView, selected, onSelected, linked, onLink } = props;
  const isPhone = useIsPhone();
  const shape = useRowShape(batch);
  const rowHeight = useRowHeight(isPhone, columnView.isWrapped);
  const total = Math.min(props.total, Math.floor(maximumHeight / rowHeight));
  const columns = useMemo(
    () =>
      isPhone
        ? [cardColumn(shape)]
        : [selectColumn(selected), ...arrange(props.columns, columnView)],
    [isPhone, shape, props.columns, columnView, selected],
  );
  const { rowAt, failedPages, onVisible } = useRows(view, total);
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
      <p className={props.total === total && total > 0 ? 'sr-only' : styles.note} role="status">
        {describeMatches(props.total, total)}
      </p>
      {failedPages.length > 0 && (
        <Notice tone="error">
          <p>{texts.rowsNotLoaded}</p>
          <Button
            variant="ghost"
            onClick={() => failedPages.forEach((page) => void page.refetch())}
          >
            {texts.tryAgain}
          </Button>
        </Notice>
      )}
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

/** In pixels. Three lines when the text is wrapped; higher where a finger presses. */
function useRowHeight(isPhone: boolean, isWrapped: boolean): number {
  const isTouch = useMediaQuery('(pointer: coarse)');
  if (isPhone) return 76;
  if (isWrapped) return 72;
  return isTouch ? 44 : 38;
}

function describeMatches(total: number, listed: number): string {
  if (total === 0) return texts.noRowsMatch;
  if (total > listed)
    return texts.onlyFirstListed({ rows: formatNumber(total), listed: formatNumber(listed) });
  return texts.rowCount(total, formatNumber(total));
}
