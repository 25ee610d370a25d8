import type { Batch, RowSearch } from '@rowmill/contract';
import { useQueries } from '@tanstack/react-query';
import { type KeyboardEvent, useCallback, useMemo } from 'react';
import { copyCells } from '../../../entities/row/copy-cells.ts';
import { arrange } from '../../../entities/row/row-columns.tsx';
import { RowsNotLoaded } from '../../../entities/row/rows-not-loaded.tsx';
import { knownAnswer } from '../../../lib/api/query.ts';
import { formatNumber } from '../../../lib/format.ts';
import { useIsPhone, useMediaQuery } from '../../../lib/hooks/use-media-query.ts';
import * as texts from '../../../texts/batches/batch.ts';
import * as rowTexts from '../../../texts/batches/rows.ts';
import { rowCount } from '../../../texts/entities.ts';
import { Button } from '../../../ui/button.tsx';
import type { ColumnView } from '../../../ui/grid/column-view.ts';
import { DataGrid } from '../../../ui/grid/data-grid.tsx';
import type { Cell } from '../../../ui/grid/grid-cells.ts';
import { useNeededPages } from '../../../ui/grid/grid-pages.ts';
import { fetchRows, type Row, type RowView, rowsPerPage, rowsQuery } from '../api.ts';
import styles from './batch-rows.module.css';
import { judgementOfKey, useJudge } from './judgements.tsx';
import { cardColumn } from './row-card.tsx';
import { type columnsOf, useRowShape } from './row-columns.tsx';
import { RowPanel } from './row-panel.tsx';
import { countOf, type RowChoice, selectColumn, useRowSelection } from './row-selection.tsx';
import { type LinkRow, useOpenRow, useStableRow } from './use-row-grid.ts';

interface Props {
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
  onLink: LinkRow;
  onSort: (column: string) => void;
  onOpenFilter: (column: string, button: HTMLElement) => void;
  onShowAll: () => void;
}

/** The rows in a grid, and beside it the row that is open. */
export function RowBrowser(props: Props) {
  const { batch, view, total, columnView, onColumnView, selected, onSelected, linked, onLink } =
    props;
  const isPhone = useIsPhone();
  const shape = useRowShape(batch);
  const rowHeight = useRowHeight(isPhone, columnView.isWrapped);
  const columns = useMemo(() => {
    const select = selectColumn(selected, { found: props.found, onSelected });
    // Cards show checkboxes only while a row is selected.
    if (isPhone) return countOf(selected) > 0 ? [select, cardColumn(shape)] : [cardColumn(shape)];
    return [select, ...arrange(props.columns, columnView)];
  }, [isPhone, shape, props.columns, props.found, columnView, selected, onSelected]);
  const { rowAt, failedPages, onVisible } = useRowPages(view, total);
  const { active, opened, moveTo, close, open } = useOpenRow({ view, linked, onLink });
  const openRow = useStableRow(opened, opened === null ? undefined : rowAt(opened));
  const onToggle = useRowSelection({ view, rowAt, selected, onSelected });
  const onOpen = useCallback((row: number) => open(row), [open]);
  const judge = useJudge(batch.id);
  /** J and K move as down and up. R, W and L judge a row and go to the next one, once per press. */
  function onKey(event: KeyboardEvent, { row, column }: Cell): boolean {
    const { key, ctrlKey, metaKey, altKey, repeat } = event;
    if (ctrlKey || metaKey || altKey) return false;
    const judgement = judgementOfKey(key);
    const judgedRow = row === opened ? openRow : rowAt(row);
    if (key === 'Escape' && opened !== null) close();
    else if (key.toLowerCase() === 'j' && row < total - 1) moveTo({ row: row + 1, column });
    else if (key.toLowerCase() === 'k' && row > 0) moveTo({ row: row - 1, column });
    else if (judgement && repeat) return true;
    else if (judgement && judgedRow?.state === 'answered') {
      judge(judgedRow, judgement);
      moveTo({ row: Math.min(row + 1, total - 1), column });
    } else return false;
    return true;
  }
  return (
    <>
      <div className={total > 0 ? 'sr-only' : styles.note}>
        <p role="status">{!props.isLoading && describeMatches(total, view.search)}</p>
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
            onCopy={(range) =>
              void copyCells(columns, range, (first, last) => fetchRows(view, first, last))
            }
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
              row={openRow}
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
  return isTouch ? 45 : 38;
}

function describeMatches(total: number, { search }: RowSearch): string {
  if (total > 0) return rowCount(formatNumber(total));
  return search === '' ? texts.noRowsMatch : `${texts.noRowsMatch} ${rowTexts.searchedStart}`;
}

/** Loads the rows in view. A page that leaves the view while loading is cancelled. */
function useRowPages(view: RowView, total: number) {
  const { pages, onVisible } = useNeededPages(total, rowsPerPage);
  const results = useQueries({ queries: pages.map((page) => rowsQuery(view, page)) });
  const rows = new Map(pages.map((page, index) => [page, results[index]?.data?.rows]));
  /** What was loaded before is shown at once, and a cell does not lose its focus. */
  function pageAt(page: number) {
    if (!rows.has(page)) rows.set(page, knownAnswer(rowsQuery(view, page))?.rows);
    return rows.get(page);
  }
  return {
    onVisible,
    rowAt: (index: number): Row | undefined =>
      pageAt(Math.floor(index / rowsPerPage))?.[index % rowsPerPage],
    failedPages: results.filter(({ isError, data }) => isError && !data),
  };
}
